import DraftModel
import ExactTime
import ExportPlan
import Operations

/// Checks the operations of clips, effects and layers against the catalogue.
func checkFilters(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    for (index, clip) in draft.mainTrackClips.enumerated() {
        check(clip.filters, clip.animations, at: "mainTrackClips[\(index)]", list: "filters", &diagnostics)
    }
    for (index, effect) in (draft.effects ?? []).enumerated() {
        guard let operation = effect.operation else { continue }
        check(operation, [:], at: "effects[\(index)].operation", &diagnostics)
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        check(layer.operations, layer.animations, at: path, list: "operations", &diagnostics)
    }
}

private func check(
    _ filters: [Filter]?, _ animations: [Animation]?, at owner: String, list: String, _ diagnostics: inout Diagnostics
) {
    let animated = AnimatedProperties(animations, from: .zero)
    for (index, filter) in (filters ?? []).enumerated() {
        check(
            filter, animated.parameters(ofOperation: index, in: list), at: "\(owner).\(list)[\(index)]", &diagnostics)
    }
}

/// - Parameter moving: the animated parameters, by name.
private func check(
    _ filter: Filter, _ moving: [String: AnimatedValue], at path: String, _ diagnostics: inout Diagnostics
) {
    guard !diagnostics.isFaulty(path), filter.external == nil else { return }
    for name in moving.keys.sorted() where filter.parameters[name] != nil {
        diagnostics.report("\(path).\(name)", .conflict, "is animated; give it either here or in animations")
    }
    var operation = Operation(filter)
    operation.parameters.merge(moving) { _, moving in moving }
    for fault in OperationCatalogue.validate(operation, at: path) {
        diagnostics.report(fault.path, DraftDiagnostic.Code(fault.code), fault.message)
    }
}

extension Operation {
    init(_ filter: Filter) {
        self.init(name: filter.type, parameters: filter.parameters.mapValues { .constant($0) }, source: filter.url)
    }

    /// The operation that is run on a picture.
    /// - Parameters:
    ///   - start: when the clip, layer or effect begins on the timeline. Only operations that move by themselves keep
    ///     it: other operations are independent of time, so that equal segments have equal keys.
    ///   - scale: pixels of the picture per pixel of `videoSize`.
    ///   - facts: facts of the file that the operation reads, by location. The plan names the file by its content hash.
    init(
        _ filter: Filter, moving: [String: AnimatedValue] = [:], from start: MediaTime, scale: Rational,
        facts: [String: SourceFacts]
    ) {
        var operation = Operation(filter)
        operation.parameters.merge(moving) { _, moving in moving }
        operation.source = filter.url.flatMap { facts[$0]?.contentHash }
        if OperationCatalogue.descriptor(of: filter.type)?.isTimeDependent == true { operation.start = start }
        self = operation.lengthsScaled(by: scale.doubleValue)
    }

    /// Whether the operation can make an opaque picture transparent.
    var changesAlpha: Bool { OperationCatalogue.descriptor(of: name)?.changesAlpha == true }
}

extension DraftDiagnostic.Code {
    init(_ code: OperationFault.Code) {
        self =
            switch code {
            case .invalidValue: .invalidValue
            case .unknownField: .unknownField
            case .outOfRange: .outOfRange
            case .missingField: .missingField
            }
    }
}
