import ExportPlan
import Vocabulary

/// Timed text in MP4 files, 3GPP TS 26.245: what libavcodec calls `mov_text`.
enum TimedText {
    /// `tx3g`, of the sample entry.
    static let tag: UInt32 = 0x6733_7874

    /// Section 5.16, behind the header: centred at the bottom, white, 18 high, without a background; a table of one font.
    static let sampleEntry: [UInt8] = {
        let font = Array("Sans-Serif".utf8)
        let flags: [UInt8] = [0, 0, 0, 0]
        let justification: [UInt8] = [1, 0xFF]
        let background: [UInt8] = [0, 0, 0, 0]
        let box = [UInt8](repeating: 0, count: 8)
        let style: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255]
        let table: [UInt8] = [0, 0, 0, UInt8(13 + font.count)] + Array("ftab".utf8) + [0, 1, 0, 1, UInt8(font.count)] + font
        return flags + justification + background + box + style + table
    }()

    /// Section 5.17: the text's length in bytes, then the text. What is longer than a length can say is cut off behind a character.
    static func sample(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(Int(UInt16.max)))
        // The first byte of a character that was cut is the last one that is no continuation.
        if bytes.count == Int(UInt16.max), let first = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            bytes.removeSubrange(first...)
        }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}

extension FileType {
    /// As libavformat knows a language in this container. QuickTime has a table of its own, with older names; what is not in it is lost there.
    func languageName(_ language: String) -> String {
        let names = ["deu": "ger", "nld": "dut", "ell": "gre", "isl": "ice", "zho": "chi", "sqi": "alb"]
        return self == .mov ? names[language] ?? language : language
    }
}
