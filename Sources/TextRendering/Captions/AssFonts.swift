import CAss
import ExportPlan
import Glibc

/// Gives a font library's fonts to libass, and reads from libass's log which fonts it has chosen.
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
        // fontconfig reads its configuration only from files, and libass reads its fonts from such a file.
        guard let path = temporaryFile(configuration(fonts.directories)) else {
            throw CaptionError(.outOfMemory, subject: "fontconfig", message: "cannot be set up: no temporary file can be written")
        }
        ass_set_fonts(renderer, nil, "Sans", Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), path, 1)
        unlink(path)
    }

    /// - Returns: the file's path; nil where it cannot be written.
    private static func temporaryFile(_ text: String) -> String? {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkstemp replaces these six characters.
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

    /// The file that a line of libass's log says was chosen, or the PostScript name if it is one of the draft's own
    /// fonts.
    static func chosen(_ line: String) -> String? {
        let bytes = Array(line.utf8)
        let arrow = Array(") -> ".utf8)
        // The path is followed by the face's index and name, which have no commas; a path may contain commas.
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

    /// The file where fontconfig starts to read its configuration.
    private static var systemConfiguration: String {
        getenv("FONTCONFIG_FILE").map { String(cString: $0) } ?? "/etc/fonts/fonts.conf"
    }

    private static func contents(ofFile path: String) -> [CChar]? {
        guard let file = fopen(path, "rbe") else { return nil }
        defer { fclose(file) }
        var bytes: [CChar] = []
        var chunk = [CChar](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += chunk[..<count]
        }
    }
}
