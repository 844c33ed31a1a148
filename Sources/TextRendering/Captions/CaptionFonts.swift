import ExactTime
package import ExportPlan
import Vocabulary

/// The fonts that captions are drawn with.
package enum CaptionFonts {
    /// All font files that libass uses for the captions. To find them out, the captions are drawn once, in a small
    /// frame.
    /// - Parameters:
    ///   - font: the font of captions without styles of their own, as a Pango font description.
    ///   - subject: the file's name, for messages.
    /// - Throws: the same errors as `CaptionPainter`.
    package static func files(
        of file: CaptionFile, font: String, in fonts: FontLibrary, subject: String
    ) throws(CaptionError) -> [FontFile] {
        let size = FrameSize(width: 96, height: 54)
        let look = CaptionContent.Look(
            font: font, color: .black, stroke: nil, backgroundBox: nil, alignment: .center, verticalAlignment: .bottom,
            marginX: 0,
            marginY: 0)
        let content = CaptionContent(source: "", start: .zero, size: size, layoutSize: size, look: look)
        let painter = try CaptionPainter(file, content, fonts: fonts, subject: subject)
        return try painter.fontsOfAllEvents()
    }
}
