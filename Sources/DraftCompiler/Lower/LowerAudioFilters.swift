import DraftModel
import ExportPlan
import Vocabulary

/// The filters of a sound with all defaults filled in; nil where there are none.
/// - Parameter facts: the facts of the impulse responses and the plug-ins.
func lowerAudioFilters(_ filters: [AudioFilter]?, _ facts: [String: SourceFacts]) -> [SoundFilter]? {
    guard let filters, !filters.isEmpty else { return nil }
    return filters.map { filter in
        if let plugin = filter.plugin { return lowered(plugin, filter.type, facts) }
        return SoundFilter(
            kind: filter.type, parameters: filled(filter.parameters, filter.type.parameters),
            parts: filter.type.parts.flatMap { part in filter.parts?.map { filled($0, part.parameters) } },
            impulse: filter.url.flatMap { facts[$0]?.contentHash })
    }
}

private func filled(_ values: [String: Double], _ parameters: [AudioFilterKind.Parameter]) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, values[$0.name] ?? $0.standard ?? 0) })
}

/// A call of a plug-in with the controls that the draft gives. The others have the plug-in's defaults, which libavfilter
/// knows.
private func lowered(_ plugin: AudioPlugin, _ kind: AudioFilterKind, _ facts: [String: SourceFacts]) -> SoundFilter {
    let found = facts[PluginLocation.location(of: plugin.name.text)]
    var controls: [String: Double] = [:]
    for (name, value) in plugin.controls ?? [:] {
        if let parameter = found?.plugin?.control(name) { controls[parameter.name] = value }
    }
    return SoundFilter(
        kind: kind, parameters: controls,
        plugin: SoundPlugin(
            name: plugin.name.text, contentHash: found?.contentHash ?? "", channels: found?.plugin?.channels ?? 1))
}
