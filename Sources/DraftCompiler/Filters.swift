import DraftModel
import ExactTime
import ExportPlan
import Operations

/// The operations of clips and layers, checked against the catalogue: what it does not know, and what this version cannot do
/// in a draft yet.
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

/// - Parameter moving: what is animated of it, by parameter.
private func check(
    _ filter: Filter, _ moving: [String: AnimatedValue], at path: String, _ diagnostics: inout Diagnostics
) {
    guard !diagnostics.isFaulty(path), filter.external == nil else { return }
    if let descriptor = OperationCatalogue.descriptor(of: filter.type), !isDrawn(descriptor) {
        diagnostics.report("\(path).type", .unsupported, "the filter '\(filter.type)' cannot be rendered by this version")
        return
    }
    for name in moving.keys.sorted() where filter.parameters[name] != nil {
        diagnostics.report("\(path).\(name)", .conflict, "is animated; give it either here or in animations")
    }
    var operation = Operation(filter)
    operation.parameters.merge(moving) { _, moving in moving }
    for fault in OperationCatalogue.validate(operation, at: path) {
        diagnostics.report(fault.path, DraftDiagnostic.Code(fault.code), fault.message)
    }
}

/// Those that look at one pixel at a time, read no file and make nothing transparent.
private func isDrawn(_ descriptor: OperationDescriptor) -> Bool {
    descriptor.reach == .pixelwise && !descriptor.needsSource && !descriptor.changesAlpha
}

extension Operation {
    init(_ filter: Filter) {
        self.init(name: filter.type, parameters: filter.parameters.mapValues { .constant($0) }, source: filter.url)
    }
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
