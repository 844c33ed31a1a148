import DraftModel
import ExportPlan
import Vocabulary

/// Checks the controls of plug-ins that filter sounds against the plug-ins' declarations, and their channels against the
/// film's. A plug-in without facts was already reported when it was looked up.
func checkSoundPlugins(
    _ draft: Draft, _ settings: ExportSettings, facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    forEachSound(of: draft) { filters, path in
        for (index, filter) in filters.enumerated() {
            guard let call = filter.plugin, let plugin = facts[PluginLocation.location(of: call.name.text)]?.plugin else {
                continue
            }
            let place = "\(path).audioFilters[\(index)]"
            guard !diagnostics.isFaulty(place) else { continue }
            check(call, plugin, at: place, &diagnostics)
            let film = settings.channels ?? 2
            if let channels = plugin.channels, channels > 1, settings.audioCodec != nil, channels != film {
                diagnostics.report(
                    "\(place).plugin", .conflict,
                    "takes \(channels) channels, and the film has \(film); export with \(channels) channels, or use a "
                        + "plug-in for one channel, which is run for each")
            }
        }
    }
}

private func check(_ call: AudioPlugin, _ plugin: PluginFacts, at place: String, _ diagnostics: inout Diagnostics) {
    var given: Set<String> = []
    for (name, value) in (call.controls ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = "\(place).controls.\(name)"
        guard let control = plugin.control(name) else {
            let names = plugin.parameters.map { $0.explanation.isEmpty ? $0.name : $0.explanation }
            let hint =
                nearestName(to: name, among: names).map { "; did you mean '\($0)'?" }
                ?? (names.isEmpty ? "; it has none" : "; there are \(names.map { "'\($0)'" }.joined(separator: ", "))")
            diagnostics.report(path, .unknownField, "the plug-in '\(plugin.name)' has no control '\(name)'\(hint)")
            continue
        }
        if !given.insert(control.name).inserted {
            diagnostics.report(path, .conflict, "is the control '\(control.explanation)', which is given twice; give it once")
        } else if let fault = control.fault(of: value) {
            diagnostics.report(path, .outOfRange, fault)
        }
    }
    let missing = plugin.parameters.filter { $0.default == nil && !given.contains($0.name) }
    if !missing.isEmpty, !diagnostics.isFaulty("\(place).controls") {
        let names = missing.map { "'\($0.explanation.isEmpty ? $0.name : $0.explanation)'" }.joined(separator: ", ")
        diagnostics.report("\(place).controls", .missingField, "need \(names), for which the plug-in has no default")
    }
}

extension PluginFacts.Parameter {
    /// What is wrong with a value; nil if nothing is.
    fileprivate func fault(of value: Double) -> String? {
        if value < minimum || value > maximum { return "must be \(bounds), not \(value.shortText)" }
        return isWhole == true && value != value.rounded() ? "must be a whole number, not \(value)" : nil
    }

    /// The bounds that the plug-in declares. A side without one has the greatest number.
    private var bounds: String {
        let unlimited = Double(Float.greatestFiniteMagnitude)
        if minimum <= -unlimited { return "\(maximum.shortText) at most" }
        return maximum >= unlimited ? "\(minimum.shortText) at least" : "\(minimum.shortText)...\(maximum.shortText)"
    }
}

extension PluginFacts {
    /// The control of a name: FFmpeg's (`c0`, or the symbol of an LV2 port), or the port's own name where only one port has
    /// it.
    func control(_ name: String) -> Parameter? {
        if let found = parameters.first(where: { $0.name == name }) { return found }
        let named = parameters.filter { $0.explanation == name }
        return named.count == 1 ? named[0] : nil
    }
}

extension AudioPlugin {
    /// The name by which the plug-in is looked up.
    var name: SoundPluginName { file.map { .ladspa(file: $0, label: plugin) } ?? .lv2(uri: plugin) }
}
