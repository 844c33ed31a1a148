import CPango
import ExportPlan

/// A parsed font description of which at least one family is installed. It owns Pango's value.
final class FontChoice {
    let description: OpaquePointer
    /// The first installed family of the description.
    let family: String

    /// - Parameter base: a font from which everything comes that the description does not say. Without one the
    ///   description has to name a family and a size.
    /// - Throws: `TextRenderingError` `invalidFont` for a description without a family or a valid size, `missingFont` where
    ///   none of its families is installed.
    init(_ text: String, differingFrom base: FontChoice? = nil, in library: FontLibrary) throws(TextRenderingError) {
        guard let description = pango_font_description_from_string(text) else {
            throw TextRenderingError(.invalidFont, subject: text, message: "is not a font description")
        }
        if let base { pango_font_description_merge(description, base.description, 0) }
        self.description = description
        let families = pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
        let names = families.split(separator: ",").map { FontChoice.trimmed($0) }.filter { !$0.isEmpty }
        guard let first = names.first else {
            throw TextRenderingError(.invalidFont, subject: text, message: "names no font family; try \"Sans Bold 64\"")
        }
        let size = pango_font_description_get_size(description)
        guard size > 0, size <= FontChoice.sizeLimit * PANGO_SCALE else {
            throw TextRenderingError(
                .invalidFont, subject: text,
                message: "needs a size in pixels, up to \(FontChoice.sizeLimit), at its end; try \"\(first) 64\"")
        }
        guard let family = names.first(where: { library.has(family: $0) }) else {
            try library.require(family: first)
            throw TextRenderingError(.missingFont, subject: first, message: "no longer exists")
        }
        self.family = family
        pango_font_description_set_absolute_size(description, Double(size))
    }

    deinit { pango_font_description_free(description) }

    private static let sizeLimit: Int32 = 4_000

    private static func trimmed(_ name: Substring) -> String {
        var name = name.drop { $0 == " " }
        while name.last == " " { name.removeLast() }
        return String(name)
    }
}
