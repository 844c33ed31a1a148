/// The file types of single pictures that are written.
package enum PictureFileType: String, CaseIterable, Hashable, Sendable, Codable {
    case png, jpeg, webp

    /// All suffixes of file names, in lower case and without a dot; the usual one first.
    package var suffixes: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        }
    }

    package var suffix: String { suffixes[0] }

    /// The media type as IANA registers it.
    package var mediaType: String { "image/\(rawValue)" }

    /// The longest side of a picture in pixels, by the file formats: a JPEG counts in 16 bits, a WebP in 14. A PNG's limit is
    /// that of the sheets.
    package var longestSide: Int {
        switch self {
        case .png: 1 << 20
        case .jpeg: 65_500
        case .webp: 16_383
        }
    }

    /// The type of files with this suffix, which has no dot, in lower or upper case; nil if there is none.
    package init?(suffix: String) {
        let wanted = suffix.lowercased()
        guard let found = PictureFileType.allCases.first(where: { $0.suffixes.contains(wanted) }) else { return nil }
        self = found
    }

    /// The type of a file that begins with these bytes; nil for another file. A WebP file may also be an animation.
    /// - Parameter head: the first bytes of the file.
    package init?(ofHead head: some Collection<UInt8>) {
        let head = Array(head)
        if head.starts(with: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// All suffixes as words for a message.
    package static var suffixNames: String {
        let names = allCases.flatMap(\.suffixes).map { ".\($0)" }
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}
