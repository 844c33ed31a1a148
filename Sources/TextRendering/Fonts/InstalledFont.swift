import CPango

/// A font in a font library.
package struct InstalledFont: Hashable, Sendable {
    /// The first name of its family, which drafts use.
    package var family: String
    /// `Regular`, `Bold Italic`, ...
    package var style: String
    package var file: String
}

extension FontLibrary {
    /// All fonts of the library, in no particular order. A variable font occurs once for each of its named styles.
    package var fonts: Set<InstalledFont> {
        var found: Set<InstalledFont> = []
        for kind in [FcSetSystem, FcSetApplication] {
            guard let fonts = FcConfigGetFonts(config, kind) else { continue }
            for index in 0..<Int(fonts.pointee.nfont) {
                guard let pattern = fonts.pointee.fonts[index], let family = FontFiles.text(FC_FAMILY, of: pattern),
                    let file = FontFiles.text(FC_FILE, of: pattern)
                else { continue }
                found.insert(
                    InstalledFont(family: family, style: FontFiles.text(FC_STYLE, of: pattern) ?? "Regular", file: file))
            }
        }
        return found
    }
}
