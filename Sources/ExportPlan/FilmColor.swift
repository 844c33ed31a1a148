/// What the pictures of a film are that keeps the colours of its sources, in limited range.
public struct FilmColor: Hashable, Sendable, Codable {
    public var color: ColorDescription
    /// Nil is left.
    public var chromaLocation: ChromaLocation?
    public var light: LightMetadata?
    /// 8, of pictures that stand between others of 8 bits; nil is 10.
    public var bitsPerSample: Int?

    public init(
        _ color: ColorDescription, chromaLocation: ChromaLocation? = nil, light: LightMetadata? = nil, bitsPerSample: Int? = nil
    ) {
        self.bitsPerSample = bitsPerSample
        self.color = color
        self.chromaLocation = chromaLocation
        self.light = light
    }
}

/// Where chroma samples lie among those of luma (ITU-T H.273, Chroma420SampleLocType).
public enum ChromaLocation: String, Hashable, Sendable, Codable { case left, center, topLeft, top, bottomLeft, bottom }
