import CPango
public import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The fonts that texts are drawn with: those that fontconfig finds on this machine, and those of further directories and files.
/// Nothing outside of the library changes: another library of the same process sees its own directories only.
public final class FontLibrary: @unchecked Sendable {
    // Unchecked: the configuration is never changed after init, and fontconfig counts references atomically.
    let config: OpaquePointer

    /// Beside those of the machine: where fonts were looked for, and the files that were named.
    public let directories: [String]
    public let files: [String]

    /// - Parameters:
    ///   - directories: of font files, with all directories in them.
    ///   - files: of fonts, whatever they are called.
    /// - Throws: `LetteringError` `missingFontFiles` for a directory without a font in it, `malformedFont` for a file that is none,
    ///   `outOfMemory`.
    public init(
        directories: [String] = FontLibrary.namedDirectories, files: [String] = []
    ) throws(LetteringError) {
        guard let config = FcInitLoadConfigAndFonts() else {
            throw LetteringError(.outOfMemory, subject: "fontconfig", message: "cannot be set up")
        }
        self.config = config
        self.directories = directories
        self.files = files
        for directory in directories {
            let before = FontLibrary.addedFonts(config)
            let isAdded = directory.withCString(encodedAs: UTF8.self) { FcConfigAppFontAddDir(config, $0) }
            guard isAdded != 0, FontLibrary.addedFonts(config) > before else {
                throw LetteringError(
                    .missingFontFiles, subject: directory, message: "is no directory with font files that can be read")
            }
        }
        for file in files {
            let before = FontLibrary.addedFonts(config)
            let isAdded = file.withCString(encodedAs: UTF8.self) { FcConfigAppFontAddFile(config, $0) }
            guard isAdded != 0, FontLibrary.addedFonts(config) > before else {
                throw LetteringError(.malformedFont, subject: file, message: "is no font file that can be read")
            }
        }
    }

    /// Those of `SPOOL_FONT_PATH`, separated by colons: what an operator adds to a machine's fonts.
    public static var namedDirectories: [String] {
        guard let list = getenv("SPOOL_FONT_PATH") else { return [] }
        return String(cString: list).split(separator: ":").map(String.init)
    }

    deinit { FcConfigDestroy(config) }

    /// Whether a font of this family is here. Families that only stand for others (Sans, Serif, Monospace and the other
    /// generic ones) are, wherever any font is.
    public func has(family: String) -> Bool {
        guard let found = bestMatch(family) else { return false }
        return FontLibrary.generic.contains(family.lowercased()) || found.contains { $0.lowercased() == family.lowercased() }
    }

    /// Refuses a family that is not here, before fontconfig takes another one for it.
    /// - Throws: `LetteringError` `missingFont`, which names the family.
    public func require(family: String) throws(LetteringError) {
        guard !has(family: family) else { return }
        throw LetteringError(.missingFont, subject: family, message: "is no font that is installed on this machine")
    }

    /// Those of these characters that no font with outlines has: of what is drawn by a library that knows no other fonts.
    public func lacking(_ characters: Set<Unicode.Scalar>) -> [Unicode.Scalar] {
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

    /// The file of a font, by its path or by the PostScript name of the font.
    /// - Throws: `LetteringError` `missingFont`.
    public func file(named name: String) throws(LetteringError) -> FontFile {
        for kind in [FcSetApplication, FcSetSystem] {
            guard let fonts = FcConfigGetFonts(config, kind) else { continue }
            for index in 0..<Int(fonts.pointee.nfont) {
                guard let pattern = fonts.pointee.fonts[index],
                    [FC_FILE, FC_POSTSCRIPT_NAME].contains(where: { FontFiles.text($0, of: pattern) == name })
                else { continue }
                return try FontFiles.shared.file(of: pattern)
            }
        }
        throw LetteringError(.missingFont, subject: name, message: "is no font of this machine or the draft")
    }

    private static let generic: Set<String> = [
        "sans", "sans-serif", "sans serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji",
    ]

    private static func addedFonts(_ config: OpaquePointer) -> Int {
        FcConfigGetFonts(config, FcSetApplication).map { Int($0.pointee.nfont) } ?? 0
    }

    /// All names of the family that fontconfig would take.
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
