import CPlugins
import ContentHashing
import ExportPlan
import Synchronization
import FoundationEssentials
import Glibc

/// A library of LADSPA plug-ins in this process: what its plug-ins declare, and the path by which libavfilter loads exactly
/// the bytes that were hashed. It is loaded once and never unloaded.
struct LadspaLibrary: Sendable {
    /// One plug-in: its label, and its facts or why it cannot be called.
    struct Plugin: Sendable {
        var label: String
        var facts: Result<PluginFacts, PluginError>
    }

    /// More plug-ins than any library has. A library that never ends its list stops here.
    private static let mostPlugins: UInt = 10_000

    let contentHash: String
    let byteCount: Int
    let path: String
    let plugins: [Plugin]

    private static let loaded = Mutex<[String: LadspaLibrary]>([:])

    /// - Throws: `cannotLoad`, `unusable`.
    static func load(_ file: PluginDirectories.File) throws(PluginError) -> LadspaLibrary {
        let bytes = try PluginLibrary.read(file)
        let hash = ContentHash.of(bytes)
        if let library = loaded.withLock({ $0[hash] }) { return library }
        let handle = try PluginLibrary.handle(of: bytes, file.name)
        var path = [CChar](repeating: 0, count: 256)
        guard spool_library_path(handle, &path, path.count) != 0 else {
            throw PluginError(.cannotLoad, subject: file.name, message: "cannot be loaded: the dynamic loader gives it no path")
        }
        var plugins: [Plugin] = []
        for index in 0..<mostPlugins {
            guard let descriptor = spool_find_ladspa(handle, index)?.pointee else { break }
            let label = String(plugin: descriptor.Label)
            plugins.append(Plugin(label: label, facts: facts(of: descriptor, named: .ladspa(file: file.name, label: label))))
        }
        guard !plugins.isEmpty else {
            throw PluginError(.unusable, subject: file.name, message: "has no LADSPA plug-ins")
        }
        let text = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let library = LadspaLibrary(contentHash: hash, byteCount: bytes.count, path: text, plugins: plugins)
        loaded.withLock { $0[hash] = library }
        return library
    }

    private static func facts(of descriptor: LADSPA_Descriptor, named name: SoundPluginName) -> Result<PluginFacts, PluginError> {
        func unusable(_ reason: String) -> Result<PluginFacts, PluginError> {
            .failure(PluginError(.unusable, subject: name.text, message: reason))
        }
        guard let kinds = descriptor.PortDescriptors, let names = descriptor.PortNames, let hints = descriptor.PortRangeHints
        else { return unusable("declares no ports") }
        var (inputs, outputs) = (0, 0)
        var controls: [PluginFacts.Parameter] = []
        for port in 0..<Int(min(descriptor.PortCount, 4096)) {
            let isInput = kinds[port] & LADSPA_PORT_INPUT != 0
            if kinds[port] & LADSPA_PORT_AUDIO != 0 {
                if isInput { inputs += 1 } else { outputs += 1 }
            } else if isInput {
                guard hints[port].HintDescriptor & LADSPA_HINT_SAMPLE_RATE == 0 else {
                    return unusable(
                        "has the control '\(String(plugin: names[port]))' in multiples of the sample rate, which FFmpeg's host "
                            + "does not know")
                }
                controls.append(PluginFacts.Parameter(hints[port], name: "c\(controls.count)", String(plugin: names[port])))
            }
        }
        if let reason = SoundPorts.complaint(inputs: inputs, outputs: outputs) { return unusable(reason) }
        return .success(
            PluginFacts(
                name: name.text, title: String(plugin: descriptor.Name), explanation: "",
                author: String(plugin: descriptor.Maker),
                parameters: controls, channels: inputs))
    }
}

/// The numbers of ports that a filter of sounds may have.
enum SoundPorts {
    /// - Returns: nil for one or two channels in and as many out.
    static func complaint(inputs: Int, outputs: Int) -> String? {
        if inputs == 0 { return "makes sound of nothing; only filters of sounds can be called" }
        if outputs == 0 { return "gives no sound; only filters of sounds can be called" }
        if inputs != outputs { return "takes \(inputs) channels and gives \(outputs); a filter gives as many as it takes" }
        return inputs > 2 ? "takes \(inputs) channels; plug-ins for one or two can be called" : nil
    }
}

extension PluginFacts.Parameter {
    /// A control of a LADSPA plug-in.
    /// - Parameters:
    ///   - name: FFmpeg's name for it.
    ///   - title: the port's own name.
    fileprivate init(_ hint: LADSPA_PortRangeHint, name: String, _ title: String) {
        func has(_ flag: Int32) -> Bool { hint.HintDescriptor & flag != 0 }
        let unlimited = Double(Float.greatestFiniteMagnitude)
        let isToggled = has(LADSPA_HINT_TOGGLED)
        let low = has(LADSPA_HINT_BOUNDED_BELOW) ? Double(hint.LowerBound) : isToggled ? 0 : -unlimited
        let high = has(LADSPA_HINT_BOUNDED_ABOVE) ? Double(hint.UpperBound) : isToggled ? 1 : unlimited
        self.init(
            name: name, kind: .number, explanation: title, default: hint.defaultValue.map { .number(value: $0) }, minimum: low,
            maximum: high, isWhole: isToggled || has(LADSPA_HINT_INTEGER) ? true : nil)
    }
}

extension LADSPA_PortRangeHint {
    /// The default as `ladspa.h` describes it and as FFmpeg computes it; nil where there is none.
    fileprivate var defaultValue: Double? {
        let (low, high) = (Double(LowerBound), Double(UpperBound))
        func between(_ share: Double) -> Double {
            guard HintDescriptor & LADSPA_HINT_LOGARITHMIC != 0 else { return low * (1 - share) + high * share }
            return exp(log(low) * (1 - share) + log(high) * share)
        }
        let value: Double? =
            switch HintDescriptor & LADSPA_HINT_DEFAULT_MASK {
            case LADSPA_HINT_DEFAULT_MINIMUM: low
            case LADSPA_HINT_DEFAULT_LOW: between(0.25)
            case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
            case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
            case LADSPA_HINT_DEFAULT_MAXIMUM: high
            case LADSPA_HINT_DEFAULT_0: 0
            case LADSPA_HINT_DEFAULT_1: 1
            case LADSPA_HINT_DEFAULT_100: 100
            case LADSPA_HINT_DEFAULT_440: 440
            default: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}
