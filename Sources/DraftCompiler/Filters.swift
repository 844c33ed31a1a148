import DraftModel
import ExportPlan
import Operations

/// The filters of clips, checked against the catalogue of operations: what it does not know, and what this version cannot do
/// to a clip yet.
func checkFilters(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    for (index, clip) in draft.mainTrackClips.enumerated() {
        for (place, filter) in (clip.filters ?? []).enumerated() {
            let path = "mainTrackClips[\(index)].filters[\(place)]"
            guard !diagnostics.isFaulty(path) else { continue }
            if let descriptor = OperationCatalogue.descriptor(of: filter.type), !isDrawn(descriptor) {
                diagnostics.report(
                    "\(path).type", .unsupported, "the filter '\(filter.type)' cannot be rendered by this version")
                continue
            }
            for fault in OperationCatalogue.validate(Operation(filter), at: path) {
                diagnostics.report(fault.path, DraftDiagnostic.Code(fault.code), fault.message)
            }
        }
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
