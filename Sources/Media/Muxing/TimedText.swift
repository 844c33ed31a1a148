import ExportPlan
import Vocabulary

/// Timed text in MP4 files (3GPP TS 26.245), which libavcodec calls `mov_text`.
enum TimedText {
    /// The sample entry's tag, `tx3g`.
    static let tag: UInt32 = 0x6733_7874

    /// The sample entry after its header (section 5.16): centred at the bottom, white, font size 18, without a
    /// background, and a table of one font.
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

    /// A sample (section 5.17): the text's length in bytes, then the text. A text of more than 65,535 bytes is cut
    /// off after a whole character.
    static func sample(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(Int(UInt16.max)))
        // Where the next byte continues a character, the last byte that is no continuation byte begins the one that was cut.
        if text.utf8.count > bytes.count, let next = text.utf8.dropFirst(bytes.count).first, next & 0xC0 == 0x80,
            let first = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 })
        {
            bytes.removeSubrange(first...)
        }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}

extension ContainerFormat {
    /// The code that libavformat expects for a language in this container. QuickTime has a table of its own with older
    /// codes, and languages that are not in it are lost there.
    func languageName(_ language: String) -> String {
        let names = ["deu": "ger", "nld": "dut", "ell": "gre", "isl": "ice", "zho": "chi", "sqi": "alb"]
        return structure == .quickTime ? names[language] ?? language : language
    }
}
