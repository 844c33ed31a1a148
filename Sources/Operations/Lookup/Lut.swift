/// Puts colours through a lookup table from a file (`.cube`, HaldCLUT, 512x512 lookup image) and mixes the result with
/// the picture.
extension OperationDescriptor {
    static let lut = OperationDescriptor(
        "lut", "Puts colours through a lookup table.",
        formula: "mix(c, table(c), intensity); cubes with tetrahedral, curves with linear interpolation",
        needsSource: true,
        parameters: [
            OperationParameter("intensity", default: 1, neutral: 0, in: 0...1, unit: "share", "0 is the picture, 1 the table's")
        ],
        .pixelwise { instant in
            guard let table = instant.table else { return { _ in } }
            let intensity = instant["intensity"]
            return { row in table.apply(to: row, intensity: intensity) }
        })
}
