#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Stops of light, on gamma-encoded values as GPUImage's `GPUImageExposureFilter` has it (not on linear light).
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
