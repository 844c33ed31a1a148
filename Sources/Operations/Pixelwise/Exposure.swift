import Glibc

/// Changes exposure in stops, on gamma-encoded values (not on linear light), as GPUImage's `GPUImageExposureFilter`
/// does.
extension OperationDescriptor {
    static let exposure = OperationDescriptor(
        "exposure", "Multiplies by powers of two.",
        formula: "c * 2^stops, on gamma-encoded values (GPUImage)",
        parameters: [
            OperationParameter("stops", default: 0, neutral: 0, in: -10...10, unit: "stops", "1 doubles, -1 halves")
        ],
        .pixelwise { instant in
            let factor = Float(exp2(instant.values["stops"] ?? 0))
            return { row in row.mapChannels { $0 * factor } }
        })
}
