import CPlugins
import ExportPlan
import Operations
import Synchronization

/// A plug-in with Spool's own interface, `spool_plugin.h`.
struct OwnPlugin: Sendable {
    // This is safe because the declaration and its functions belong to a library that stays loaded, and any thread may
    // call them.
    nonisolated(unsafe) private let declaration: spool_plugin
    private let name: String
    private let kind: PluginKind
    private let declared: [PluginFacts.Parameter]
    /// The last prepared frame. It is used again because neighbouring frames mostly have the same size and values.
    private let last = PreparedPluginCache()

    /// - Throws: `unusable` if the declaration is of another version or contradicts itself.
    init(_ declaration: spool_plugin, _ name: String) throws(PluginError) {
        self.declaration = declaration
        self.name = name
        func unusable(_ reason: String) -> PluginError { PluginError(.unusable, subject: name, message: reason) }
        guard (1...SPOOL_PLUGIN_VERSION).contains(declaration.version) else {
            throw unusable("is for version \(declaration.version) of the interface, not \(SPOOL_PLUGIN_VERSION); rebuild it")
        }
        switch declaration.kind {
        case SPOOL_PLUGIN_FILTER: kind = .filter
        case SPOOL_PLUGIN_GENERATOR: kind = .generator
        case SPOOL_PLUGIN_MIXER: kind = .mixer
        default: throw unusable("declares the kind \(declaration.kind), which is not one of the interface")
        }
        guard kind == .mixer ? declaration.mix != nil : declaration.render != nil else {
            throw unusable("is a \(kind.rawValue) and needs a \(kind == .mixer ? "mix" : "render") function")
        }
        guard (declaration.prepare == nil) == (declaration.release == nil) else {
            throw unusable("needs either both of prepare and release or none")
        }
        guard (0...1000).contains(declaration.parameter_count), declaration.parameter_count == 0 || declaration.parameters != nil
        else { throw unusable("declares \(declaration.parameter_count) parameters") }
        var declared: [PluginFacts.Parameter] = []
        for index in 0..<Int(declaration.parameter_count) {
            guard let parameter = declaration.parameters.flatMap({ PluginFacts.Parameter($0[index]) }) else {
                throw unusable("declares its parameter \(index) with an unknown kind, no name or an empty range")
            }
            declared.append(parameter)
        }
        self.declared = declared
    }

    var facts: PluginFacts {
        PluginFacts(
            name: name, title: String(plugin: declaration.title), explanation: String(plugin: declaration.explanation),
            author: String(plugin: declaration.author), parameters: declared, kind: kind == .filter ? nil : kind)
    }
}

extension OwnPlugin: OpenablePlugin {
    func open(_ values: [String: PluginValue], size: FrameSize) throws(OperationError) -> OpenedPlugin {
        let frame = last.frame(values, size) { PreparedPlugin(declaration, declared, values, size) }
        guard frame.isPrepared else {
            throw OperationError(
                .pluginRefused, subject: name,
                message: "does not take a picture of \(size) pixels; leave it out, or use another size")
        }
        return { inputs, time in
            var drawn: [UInt8] = []
            RandomSeed.taken(at: time) { drawn = frame.render(inputs, time) }
            return drawn
        }
    }
}

/// Keeps the frame that was prepared last, with its size and values.
private final class PreparedPluginCache: Sendable {
    private struct Kept {
        var values: [String: PluginValue]
        var size: FrameSize
        var frame: PreparedPlugin
    }

    private let kept = Mutex<Kept?>(nil)

    func frame(_ values: [String: PluginValue], _ size: FrameSize, _ make: () -> PreparedPlugin) -> PreparedPlugin {
        if let same = kept.withLock({ $0?.values == values && $0?.size == size ? $0?.frame : nil }) { return same }
        let frame = make()
        kept.withLock { $0 = Kept(values: values, size: size, frame: frame) }
        return frame
    }
}

/// A plug-in's prepared data, with the values that it was prepared for and the texts that they point to.
///
/// `@unchecked`: nothing in it changes, and the interface requires that plug-ins only read the prepared data while
/// rendering.
private final class PreparedPlugin: @unchecked Sendable {
    private let declaration: spool_plugin
    private let values: [spool_plugin_value]
    private let texts: [UnsafeMutablePointer<CChar>]
    private let size: FrameSize
    private let prepared: UnsafeMutableRawPointer?

    init(
        _ declaration: spool_plugin, _ declared: [PluginFacts.Parameter], _ given: [String: PluginValue], _ size: FrameSize
    ) {
        self.declaration = declaration
        self.size = size
        var texts: [UnsafeMutablePointer<CChar>] = []
        let values = declared.map { parameter in
            var value = spool_plugin_value()
            switch given[parameter.name] ?? parameter.default ?? .number(value: 0) {
            // Animated values may overshoot.
            case .number(let number): value.number = max(parameter.minimum, min(parameter.maximum, number))
            case .bool(let bool): value.number = bool ? 1 : 0
            case .color(let color):
                (value.red, value.green) = (Float(color.red) / 255, Float(color.green) / 255)
                value.blue = Float(color.blue) / 255
            case .position(let x, let y): (value.x, value.y) = (x, y)
            case .text(let text):
                let bytes = text.utf8CString
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
                for (place, byte) in bytes.enumerated() { copy[place] = byte }
                texts.append(copy)
                value.text = UnsafePointer(copy)
            }
            return value
        }
        self.texts = texts
        self.values = values
        prepared = declaration.prepare.flatMap { $0(Int32(size.width), Int32(size.height), values) }
    }

    deinit {
        if let prepared { declaration.release?(prepared) }
        texts.forEach { $0.deallocate() }
    }

    var isPrepared: Bool { declaration.prepare == nil || prepared != nil }

    /// - Parameter inputs: none for a generator, one for a filter, two for a mixer.
    func render(_ inputs: [[UInt8]], _ time: Double) -> [UInt8] {
        // Pixels that the plug-in does not write are those of its first picture, or transparent.
        var result = inputs.first ?? [UInt8](repeating: 0, count: 4 * size.width * size.height)
        let (width, height, stride) = (Int32(size.width), Int32(size.height), 4 * size.width)
        result.withUnsafeMutableBufferPointer { result in
            let output = result.baseAddress
            switch inputs.count {
            case 0: declaration.render?(prepared, width, height, stride, time, values, nil, output)
            case 1: declaration.render?(prepared, width, height, stride, time, values, inputs[0], output)
            default: declaration.mix?(prepared, width, height, stride, time, values, inputs[0], inputs[1], output)
            }
        }
        return result
    }
}

extension PluginFacts.Parameter {
    /// Nil if the declaration is invalid.
    fileprivate init?(_ parameter: spool_plugin_parameter) {
        guard let name = parameter.name else { return nil }
        let standard = parameter.standard
        let kind: PluginFacts.Kind
        let value: PluginValue
        switch parameter.kind {
        case SPOOL_PLUGIN_NUMBER:
            guard parameter.minimum <= parameter.maximum, parameter.minimum.isFinite, parameter.maximum.isFinite,
                (parameter.minimum...parameter.maximum).contains(standard.number)
            else { return nil }
            (kind, value) = (.number, .number(value: standard.number))
        case SPOOL_PLUGIN_BOOL: (kind, value) = (.bool, .bool(value: standard.number >= 0.5))
        case SPOOL_PLUGIN_COLOR:
            let color = RGBAColor(red: standard.red, green: standard.green, blue: standard.blue)
            (kind, value) = (.color, .color(color: color))
        case SPOOL_PLUGIN_POSITION:
            guard standard.x.isFinite, standard.y.isFinite else { return nil }
            (kind, value) = (.position, .position(x: standard.x, y: standard.y))
        case SPOOL_PLUGIN_TEXT: (kind, value) = (.text, .text(text: String(plugin: standard.text)))
        default: return nil
        }
        self.init(
            name: String(cString: name), kind: kind, explanation: String(plugin: parameter.explanation), default: value,
            minimum: kind == .number ? parameter.minimum : 0, maximum: kind == .number ? parameter.maximum : 1)
    }
}
