/// The ICC profile of a picture file, whose colours are not those of sRGB.
package struct PictureProfile: Hashable, Sendable, Codable {
    /// The profile's own name, such as `Display P3`; at most 80 characters.
    package var name: String
    /// Whether the pictures are converted to sRGB. Profiles that are damaged, or that are meant for other kinds of pixels
    /// (CMYK), are not used.
    package var isApplied: Bool
    /// The colour description of the samples in the file, before the conversion.
    package var storedColor: ColorDescription

    package init(name: String, isApplied: Bool, storedColor: ColorDescription) {
        self.name = name
        self.isApplied = isApplied
        self.storedColor = storedColor
    }
}
