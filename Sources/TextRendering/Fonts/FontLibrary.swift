import CPango
package import ExportPlan
import Glibc

/// The fonts that texts are drawn with: those that fontconfig finds on this machine, and those of further directories
/// and files. Libraries do not affect each other: each sees only its own directories and files beside the machine's
/// fonts.
package final class FontLibrary: @unchecked Sendable {
    // Unchecked: the configuration is never changed after init, and fontconfig counts references atomically.
    let config: OpaquePointer

    /// The directories and, below, the files that were added to the machine's fonts.
    package let directories: [String]
    package let files: [String]

    /// - Parameters:
    ///   - directories: directories with font files, which are searched recursively.
    ///   - files: font files with any name.
    /// - Throws: `TextRenderingError` `missingFontFiles` for a directory without fonts, `malformedFont` for a file that is
    ///   not a font, or `outOfMemory`.
    package init(
        directories: [String] = FontLibrary.namedDirectories, files: [String] = []
    ) throws(TextRenderingError) {
        guard let config = FcInitLoadConfigAndFonts() else {
            throw TextRenderingError(.outOfMemory, subject: "fontconfig", message: "cannot be set up")
        }
        self.config = config
        self.directories = directories
        self.files = files
        for directory in directories {
            let before = FontLibrary.addedFonts(config)
            let isAdded = directory.withCString(encodedAs: UTF8.self) { FcConfigAppFontAddDir(config, $0) }
            guard isAdded != 0, FontLibrary.addedFonts(config) > before else {
                throw TextRenderingError(
                    .missingFontFiles, subject: directory, message: "is not a directory with readable font files")
            }
        }
        for file in files {
            let before = FontLibrary.addedFonts(config)
            let isAdded = file.withCString(encodedAs: UTF8.self) { FcConfigAppFontAddFile(config, $0) }
            guard isAdded != 0, FontLibrary.addedFonts(config) > before else {
                throw TextRenderingError(.malformedFont, subject: file, message: "is not a readable font file")
            }
        }
    }

    /// The directories in `SPOOL_FONT_PATH`, separated by colons, with which an operator adds to a machine's fonts.
    package static var namedDirectories: [String] {
        guard let list = getenv("SPOOL_FONT_PATH") else { return [] }
        return String(cString: list).split(separator: ":").map(String.init)
    }

    deinit { FcConfigDestroy(config) }

    /// Whether a font of this family is installed. Generic families, which stand for others (Sans, Serif, Monospace,
    /// ...), count as installed if there is any font.
    package func has(family: String) -> Bool {
        guard let found = bestMatch(family) else { return false }
        return FontLibrary.generic.contains(family.lowercased()) || found.contains { $0.lowercased() == family.lowercased() }
    }

    /// Refuses a family that is not installed, because fontconfig would silently choose another.
    /// - Throws: `TextRenderingError` `missingFont`, which names the family.
    package func require(family: String) throws(TextRenderingError) {
        guard !has(family: family) else { return }
        throw TextRenderingError(
            .missingFont, subject: family,
            message: "is not a font that is installed on this machine; 'spool fonts' lists those that are")
    }

    /// The characters that no outline font has. It is for text that is drawn by a library which only uses outline
    /// fonts.
    package func lacking(_ characters: Set<Unicode.Scalar>) -> [Unicode.Scalar] {
        var missing = characters.sorted()
        for kind in [FcSetSystem, FcSetApplication] where !missing.isEmpty {
            guard let fonts = FcConfigGetFonts(config, kind) else { continue }
            for index in 0..<Int(fonts.pointee.nfont) where !missing.isEmpty {
                var isOutline: FcBool = 0
                var covered: OpaquePointer?
                guard FcPatternGetBool(fonts.pointee.fonts[index], FC_OUTLINE, 0, &isOutline) == FcResultMatch, isOutline != 0,
                    FcPatternGetCharSet(fonts.pointee.fonts[index], FC_CHARSET, 0, &covered) == FcResultMatch
                else { continue }
                missing.removeAll { FcCharSetHasChar(covered, $0.value) != 0 }
            }
        }
        return missing
    }

    /// The file of a font, found by the file's path or by the font's PostScript name.
    /// - Throws: `TextRenderingError` `missingFont`.
    package func file(named name: String) throws(TextRenderingError) -> FontFile {
        for kind in [FcSetApplication, FcSetSystem] {
            guard let fonts = FcConfigGetFonts(config, kind) else { continue }
            for index in 0..<Int(fonts.pointee.nfont) {
                guard let pattern = fonts.pointee.fonts[index],
                    [FC_FILE, FC_POSTSCRIPT_NAME].contains(where: { FontFiles.text($0, of: pattern) == name })
                else { continue }
                return try FontFiles.shared.file(of: pattern)
            }
        }
        throw TextRenderingError(
            .missingFont, subject: name,
            message: "is not a font of this machine or the draft; install it, or add its file to the draft")
    }

    private static let generic: Set<String> = [
        "sans", "sans-serif", "sans serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji",
    ]

    private static func addedFonts(_ config: OpaquePointer) -> Int {
        FcConfigGetFonts(config, FcSetApplication).map { Int($0.pointee.nfont) } ?? 0
    }

    /// All names of the family that fontconfig would choose.
    private func bestMatch(_ family: String) -> [String]? {
        guard let pattern = FcPatternCreate() else { return nil }
        defer { FcPatternDestroy(pattern) }
        _ = family.withCString(encodedAs: UTF8.self) { FcPatternAddString(pattern, FC_FAMILY, $0) }
        _ = FcConfigSubstitute(config, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let match = FcFontMatch(config, pattern, &result) else { return nil }
        defer { FcPatternDestroy(match) }
        var names: [String] = []
        var name: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(match, FC_FAMILY, Int32(names.count), &name) == FcResultMatch, let name {
            names.append(String(cString: name))
        }
        return names
    }
}
