import DraftModel
import ExportPlan
import Vocabulary

/// The filters of a sound with all defaults filled in; nil where there are none.
/// - Parameter facts: the facts of the impulse responses.
func lowerAudioFilters(_ filters: [AudioFilter]?, _ facts: [String: SourceFacts]) -> [SoundFilter]? {
    guard let filters, !filters.isEmpty else { return nil }
    return filters.map { filter in
        SoundFilter(
            kind: filter.type, parameters: filled(filter.parameters, filter.type.parameters),
            parts: filter.type.parts.flatMap { part in filter.parts?.map { filled($0, part.parameters) } },
            impulse: filter.url.flatMap { facts[$0]?.contentHash })
    }
}

private func filled(_ values: [String: Double], _ parameters: [AudioFilterKind.Parameter]) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, values[$0.name] ?? $0.standard ?? 0) })
}
