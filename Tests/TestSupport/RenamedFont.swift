import FoundationEssentials

/// A font that is installed on no machine: DejaVu Sans with "DejaVu" spelt differently in all its names.
package enum RenamedFont {
    package static let family = "QejaVu Sans"
    private static let source = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    /// Whether the font to rename is installed; prints a message if not.
    package static var isPossible: Bool {
        let isThere = FileManager.default.fileExists(atPath: source)
        if !isThere { print("skipped: \(source) is not there") }
        return isThere
    }

    /// - Parameter revision: another revision is another file that draws the same.
    package static func write(to path: String, revision: UInt8 = 0) throws {
        var font = try Data(contentsOf: URL(fileURLWithPath: source))
        for (old, new) in [
            ("DejaVu", "QejaVu"), ("D\0e\0j\0a\0V\0u", "Q\0e\0j\0a\0V\0u"),
        ] {
            var from = font.startIndex
            while let range = font[from...].firstRange(of: Data(old.utf8)) {
                font.replaceSubrange(range, with: Data(new.utf8))
                from = range.upperBound
            }
        }
        font.append(contentsOf: [revision])
        try font.write(to: URL(fileURLWithPath: path))
    }
}
