/// The colours of a film that keeps those of its sources, in limited range.
package struct FilmColor: Hashable, Sendable, Codable {
    package var color: ColorDescription
    /// Nil means `left`.
    package var chromaLocation: ChromaLocation?
    /// The film's HDR metadata; nil where nothing is known.
    package var hdrMetadata: HDRMetadata?
    /// 8 for pictures that stand between other 8-bit pictures; nil means 10.
    package var bitsPerSample: Int?

    package init(
        _ color: ColorDescription, chromaLocation: ChromaLocation? = nil, hdrMetadata: HDRMetadata? = nil,
        bitsPerSample: Int? = nil
    ) {
        self.bitsPerSample = bitsPerSample
        self.color = color
        self.chromaLocation = chromaLocation
        self.hdrMetadata = hdrMetadata
    }
}

/// Where chroma samples lie relative to luma samples (ITU-T H.273, Chroma420SampleLocType).
package enum ChromaLocation: String, Hashable, Sendable, Codable { case left, center, topLeft, top, bottomLeft, bottom }
