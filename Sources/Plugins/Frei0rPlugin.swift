import CPlugins
import ExportPlan
import Operations

/// A filter, a source or a mixer of two inputs of frei0r, as `frei0r.h` 1.2 describes them. A source is a generator
/// here.
///
/// Every frame gets its own instance. If an effect remembered earlier frames, a film would depend on where it is cut
/// into segments. Random numbers are seeded with the frame's time.
struct Frei0rPlugin: Sendable {
    private struct Parameter: Sendable {
        var name: String
        var type: Int32
        var explanation: String
    }

    /// The functions of a library that stays loaded. frei0r allows any thread to call them.
    private let functions: spool_frei0r
    private let name: String
    private let title: String
    private let author: String
    private let explanation: String
    private let parameters: [Parameter]
    private let kind: PluginKind
    private let isBlueFirst: Bool

    /// - Throws: `unusable` for mixers of three inputs, and for effects that need a version newer than frei0r 1.2.
    init(_ functions: spool_frei0r, _ name: String) throws(PluginError) {
        self.functions = functions
        self.name = name
        guard functions.`init`() != 0 else {
            throw PluginError(.unusable, subject: name, message: "is a frei0r effect that fails to start")
        }
        var info = f0r_plugin_info_t()
        functions.get_plugin_info(&info)
        switch info.plugin_type {
        case F0R_PLUGIN_TYPE_FILTER: kind = .filter
        case F0R_PLUGIN_TYPE_SOURCE: kind = .generator
        case F0R_PLUGIN_TYPE_MIXER2: kind = .mixer
        case F0R_PLUGIN_TYPE_MIXER3:
            throw PluginError(
                .unusable, subject: name, message: "is a frei0r mixer of three pictures; only mixers of two can be called")
        default:
            throw PluginError(.unusable, subject: name, message: "is a frei0r effect of an unknown type")
        }
        guard kind == .mixer ? functions.update2 != nil : functions.update != nil else {
            throw PluginError(.unusable, subject: name, message: "is a frei0r effect without a function that draws")
        }
        guard info.frei0r_version <= FREI0R_MAJOR_VERSION, (0...2).contains(info.color_model),
            (0...1000).contains(info.num_params)
        else {
            throw PluginError(.unusable, subject: name, message: "needs a newer interface than frei0r 1.2")
        }
        isBlueFirst = info.color_model == F0R_COLOR_MODEL_BGRA8888
        title = String(plugin: info.name)
        author = String(plugin: info.author)
        explanation = String(plugin: info.explanation)
        parameters = (0..<info.num_params).map { index in
            var info = f0r_param_info_t()
            functions.get_param_info(&info, index)
            return Parameter(
                name: String(plugin: info.name), type: info.type, explanation: String(plugin: info.explanation))
        }
    }

    /// - Throws: `unusable` if it cannot make an instance, which is needed to read the defaults.
    func facts() throws(PluginError) -> PluginFacts {
        guard let instance = functions.construct(64, 48) else {
            throw PluginError(.unusable, subject: name, message: "is a frei0r effect that fails to create an instance")
        }
        defer { functions.destruct(instance) }
        let declared = parameters.enumerated().compactMap { index, parameter -> PluginFacts.Parameter? in
            guard let kind = PluginFacts.Kind(frei0r: parameter.type) else { return nil }
            return PluginFacts.Parameter(
                name: parameter.name, kind: kind, explanation: parameter.explanation,
                default: value(of: instance, Int32(index), kind))
        }
        return PluginFacts(
            name: name, title: title, explanation: explanation, author: author, parameters: declared,
            kind: kind == .filter ? nil : kind)
    }

    private func value(of instance: f0r_instance_t, _ index: Int32, _ kind: PluginFacts.Kind) -> PluginValue? {
        switch kind {
        case .number, .bool:
            var value = 0.0
            functions.get_param_value(instance, &value, index)
            guard value.isFinite else { return nil }
            return kind == .bool ? .bool(value: value >= 0.5) : .number(value: value)
        case .color:
            var value = f0r_param_color_t()
            functions.get_param_value(instance, &value, index)
            return .color(color: RGBAColor(red: value.r, green: value.g, blue: value.b))
        case .position:
            var value = f0r_param_position_t()
            functions.get_param_value(instance, &value, index)
            return value.x.isFinite && value.y.isFinite ? .position(x: value.x, y: value.y) : nil
        case .text:
            var value: UnsafeMutablePointer<CChar>?
            functions.get_param_value(instance, &value, index)
            return value.map { .text(text: String(cString: $0)) }
        }
    }
}

extension Frei0rPlugin: OpenablePlugin {
    func open(_ values: [String: PluginValue], size: FrameSize) throws(OperationError) -> OpenedPlugin {
        let layout = Frei0rLayout(size, isBlueFirst: isBlueFirst)
        var made: f0r_instance_t?
        RandomSeed.taken(at: 0) { made = functions.construct(UInt32(layout.padded.width), UInt32(layout.padded.height)) }
        guard let instance = made else {
            throw OperationError(
                .pluginRefused, subject: name,
                message: "does not take a picture of \(size) pixels; leave it out, or use another size")
        }
        for (index, parameter) in parameters.enumerated() {
            if let value = values[parameter.name] { set(value, of: instance, Int32(index)) }
        }
        let owned = Frei0rInstance(instance, functions)
        return { inputs, time in
            layout.run(on: inputs) { inputs, output in
                RandomSeed.taken(at: time) { owned.update(time, inputs, output) }
            }
        }
    }

    private func set(_ value: PluginValue, of instance: f0r_instance_t, _ index: Int32) {
        switch value {
        case .number(let number):
            // Animated values may overshoot.
            var number = max(0, min(1, number))
            functions.set_param_value(instance, &number, index)
        case .bool(let bool):
            var number = bool ? 1.0 : 0.0
            functions.set_param_value(instance, &number, index)
        case .color(let color):
            var parts = f0r_param_color_t(
                r: Float(color.red) / 255, g: Float(color.green) / 255, b: Float(color.blue) / 255)
            functions.set_param_value(instance, &parts, index)
        case .position(let x, let y):
            var parts = f0r_param_position_t(x: x, y: y)
            functions.set_param_value(instance, &parts, index)
        case .text(let text):
            var bytes = text.utf8CString
            bytes.withUnsafeMutableBufferPointer { bytes in
                var start = bytes.baseAddress
                functions.set_param_value(instance, &start, index)
            }
        }
    }
}

/// Owns an instance of an effect.
private final class Frei0rInstance {
    private let instance: f0r_instance_t
    private let functions: spool_frei0r

    init(_ instance: f0r_instance_t, _ functions: spool_frei0r) {
        self.instance = instance
        self.functions = functions
    }

    deinit { functions.destruct(instance) }

    /// - Parameter inputs: none for a source, one for a filter, two for a mixer.
    func update(_ time: Double, _ inputs: [UnsafePointer<UInt32>], _ output: UnsafeMutablePointer<UInt32>) {
        if inputs.count == 2 {
            functions.update2(instance, time, inputs[0], inputs[1], nil, output)
        } else {
            functions.update(instance, time, inputs.first, output)
        }
    }
}

extension PluginFacts.Kind {
    /// Nil for a type that frei0r 1.2 does not have.
    fileprivate init?(frei0r type: Int32) {
        switch type {
        case F0R_PARAM_BOOL: self = .bool
        case F0R_PARAM_DOUBLE: self = .number
        case F0R_PARAM_COLOR: self = .color
        case F0R_PARAM_POSITION: self = .position
        case F0R_PARAM_STRING: self = .text
        default: return nil
        }
    }
}

extension RGBAColor {
    /// An opaque colour from a plug-in's numbers, limited to 0...1.
    init(red: Float, green: Float, blue: Float) {
        func byte(_ part: Float) -> UInt8 { UInt8((max(0, min(1, part)) * 255).rounded()) }
        self.init(red: byte(red), green: byte(green), blue: byte(blue), alpha: 255)
    }
}

extension String {
    /// A text of a plug-in. Empty if there is none. Invalid UTF-8 is repaired.
    init(plugin text: UnsafePointer<CChar>?) {
        self = text.map { String(cString: $0) } ?? ""
    }
}
