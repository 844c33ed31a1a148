import TextRendering
import ContentHashing
import Compositor
import ExactTime
import ExportPlan
import Media

/// Answers a font request by laying out the texts without drawing them; captions are drawn once, in a small frame.
/// - Throws: `TextRenderingError` that names what is missing, or `MediaError` for captions that cannot be read.
func fontFacts(_ request: FontRequest) throws -> SourceFacts {
    let library = try FontLibrary(files: request.files)
    var uses: [[FontFile]] = []
    if let path = request.captions {
        guard case .captions(let file)? = try Document(ofFile: path) else {
            throw MediaError(.unknownFormat, subject: path, message: "is not a captions file")
        }
        uses = [try CaptionFonts.files(of: file, font: request.font, in: library, subject: path)]
    } else {
        let typesetter = try Typesetter(fonts: library)
        for text in request.texts {
            var content = TextContent(text: text, font: request.font, color: .black)
            content.runs = request.runs
            uses.append(try typesetter.fontFiles(of: content))
        }
    }
    let hashes = Set(uses.joined().map(\.contentHash)).sorted()
    return SourceFacts(
        contentHash: ContentHash.of(hashes.joined(separator: "\n").utf8), byteCount: 0, container: "fonts", origin: .zero,
        video: nil, audio: nil, fonts: FontFacts(uses: uses))
}
