import CAss
import ExportPlan
import Lettering

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How libass is told of a library's fonts, and what it says that it has chosen.
enum AssFonts {
    /// - Throws: `CaptionError` `missingFont` for a file that cannot be read, `outOfMemory`.
    static func set(_ fonts: FontLibrary, _ library: OpaquePointer, _ renderer: OpaquePointer) throws(CaptionError) {
        for path in fonts.files {
            guard var bytes = contents(ofFile: path) else {
                throw CaptionError(.missingFont, subject: path, message: "cannot be read")
            }
            ass_add_font(library, path, &bytes, Int32(bytes.count))
        }
        guard !fonts.directories.isEmpty else {
            return ass_set_fonts(renderer, nil, "Sans", Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), nil, 1)
        }
        // fontconfig takes its configuration from files only, and libass its fonts from such a file.
        guard let path = temporaryFile(configuration(fonts.directories)) else {
            throw CaptionError(.outOfMemory, subject: "fontconfig", message: "cannot be set up: no temporary file can be written")
        }
        ass_set_fonts(renderer, nil, "Sans", Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), path, 1)
        unlink(path)
    }

    /// - Returns: its path; nil where it cannot be written.
    private static func temporaryFile(_ text: String) -> String? {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkstemp puts letters of its own in place of these.
        let free = String(repeating: "X", count: 6)
        var path = Array("\(directory)/spool-fonts-\(free)".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        let isWritten = write(file, bytes, bytes.count) == bytes.count
        close(file)
        if !isWritten { unlink(name) }
        return isWritten ? name : nil
    }

    /// The file, or of a draft's own font the PostScript name, in a line that says what was chosen.
    static func chosen(_ line: String) -> String? {
        let bytes = Array(line.utf8)
        let arrow = Array(") -> ".utf8)
        // Behind it come the number of the face and its name, which have no commas; a path may have some.
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }.suffix(2)
        guard let end = commas.first, commas.count == 2,
            let start = bytes.indices.last(where: { bytes[$0..<min($0 + arrow.count, bytes.count)] == arrow[...] }),
            start + arrow.count < end
        else { return nil }
        return String(decoding: bytes[(start + arrow.count)..<end], as: UTF8.self)
    }

    private static func configuration(_ directories: [String]) -> String {
        let places = directories.map { directory in
            "<dir>\(directory.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) }.joined())</dir>"
        }
        return """
            <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>\(systemConfiguration)</include>
            \(places.joined())</fontconfig>
            """
    }

    /// Where fontconfig begins to read.
    private static var systemConfiguration: String {
        getenv("FONTCONFIG_FILE").map { String(cString: $0) } ?? "/etc/fonts/fonts.conf"
    }

    private static func contents(ofFile path: String) -> [CChar]? {
        guard let file = fopen(path, "rbe") else { return nil }
        defer { fclose(file) }
        var bytes: [CChar] = []
        var piece = [CChar](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += piece[..<count]
        }
    }
}
