import Captions
import Operations

/// What a file is, told by how it begins; its name says nothing.
enum DocumentSignature: Equatable {
    case cube
    case captions(CaptionFormat)
    /// TrueType, OpenType, a collection of them, or one packed for the web.
    case font

    /// - Parameter head: the first bytes of the file; a few thousand are enough.
    /// - Returns: nil for everything else, media above all.
    init?(_ head: [UInt8]) {
        let fontTags: [[UInt8]] = [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8)]
        if fontTags.contains(where: { head.starts(with: $0) }) {
            self = .font
            return
        }
        // Media has zero bytes long before this. Text has none, but in UTF-16.
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
