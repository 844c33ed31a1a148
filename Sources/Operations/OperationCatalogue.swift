/// All operations there are, one line each. Validation, `spool operations` and `docs/operations.md` follow from it.
public enum OperationCatalogue {
    /// In the order in which people read them.
    public static let all: [OperationDescriptor] = [
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
    public static func descriptor(of name: String) -> OperationDescriptor? { byName[name] }
}
