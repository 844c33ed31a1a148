/// The list of all operations. Validation, `spool operations` and `docs/operations.md` are derived from it.
package enum OperationCatalogue {
    /// All operations in the order of the documentation.
    package static let all: [OperationDescriptor] = [
        .brightness,
        .contrast,
        .exposure,
        .gamma,
        .highlights,
        .shadows,
        .saturation,
        .vibrance,
        .hue,
        .temperature,
        .tint,
        .grayscale,
        .sepia,
        .invert,
        .lut,
        .chromaKey,
        .vignette,
        .grain,
        .blur,
        .sharpen,
        .mosaic,
        .zoomBlur,
        .beautify,
        .shake,
        .soulOut,
        .glitch,
        .hazy,
        .ghost,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The operation of this name, or nil.
    package static func descriptor(of name: String) -> OperationDescriptor? { byName[name] }
}
