import TextRendering
import Operations

/// The kind of a file, recognised by its first bytes. Its name is not considered.
enum DocumentSignature: Equatable {
    case cube
    case captions(CaptionFormat)
    /// TrueType, OpenType, a collection of these, or a web font (WOFF).
    case font

    /// - Parameter head: the first bytes of the file; a few thousand are enough.
    /// - Returns: nil for all other files, above all for media.
    init?(_ head: [UInt8]) {
        let fontTags: [[UInt8]] = [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8)]
        if fontTags.contains(where: { head.starts(with: $0) }) {
            self = .font
            return
        }
        // Media files contain zero bytes within the first few thousand bytes. Text files contain them only in UTF-16.
        guard !head.isEmpty, SourceText.isUTF16(head) || !head.contains(0) else { return nil }
        let text = SourceText.begin(head)
        if let format = CaptionFormat(ofHead: text) {
            self = .captions(format)
        } else if CubeFile.isBegun(by: text) {
            self = .cube
        } else {
            return nil
        }
    }
}
