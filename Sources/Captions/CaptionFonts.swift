import ExactTime
public import ExportPlan
public import Lettering
import Vocabulary

/// The fonts that captions are drawn with.
public enum CaptionFonts {
    /// Every font file that libass draws something of these captions with. They are drawn once, small.
    /// - Parameters:
    ///   - font: of captions without styles of their own; a Pango font description.
    ///   - subject: the file's name, for messages.
    /// - Throws: as `CaptionPainter`.
    public static func files(
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
