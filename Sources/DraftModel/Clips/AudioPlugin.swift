/// A plug-in that filters a sound, as FFmpeg's filters `ladspa` and `lv2` name it: `{"type": "ladspa", "file": "amp", "plugin":
/// "amp_mono", "controls": {"Gain": 0.5}}`. The plug-in declares its controls and their ranges; the compiler checks them.
package struct AudioPlugin: Hashable, Sendable, Encodable {
    /// The label of a LADSPA plug-in, or the URI of an LV2 plug-in.
    package var plugin: String
    /// The name of a LADSPA library, without directory and extension; nil for LV2.
    package var file: String?
    /// The values of controls, by their names.
    package var controls: [String: Double]?

    package init(plugin: String, file: String? = nil, controls: [String: Double]? = nil) {
        self.plugin = plugin
        self.file = file
        self.controls = controls
    }

    /// - Parameter hasFile: whether the plug-in is in a library that the draft names.
    init?(_ reader: inout ObjectReader, hasFile: Bool) {
        let plugin = AudioPlugin.name("plugin", &reader)
        let file = hasFile ? AudioPlugin.name("file", &reader) : nil
        let controls = reader.object("controls") { reader in
            var values: [String: Double] = [:]
            let finite = -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude)
            for name in reader.parameterNames(of: "a plug-in") { values[name] = reader.double(name, in: finite) }
            return values
        }
        guard let plugin, file != nil || !hasFile else { return nil }
        if let file, file.contains("/") || file.hasPrefix(".") {
            reader.report("file", .invalidValue, "must be the name of a library on this machine, without directory and '.so'")
            return nil
        }
        self.init(plugin: plugin, file: file, controls: controls)
    }

    private static func name(_ field: String, _ reader: inout ObjectReader) -> String? {
        guard let name = reader.string(field, required: true) else { return nil }
        guard !name.isEmpty, !name.utf8.contains(0) else {
            reader.report(field, .invalidValue, "must be the name of a plug-in")
            return nil
        }
        return name
    }
}
