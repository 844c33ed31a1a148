import CPango

/// A font that a library found.
public struct InstalledFont: Hashable, Sendable {
    /// The first of its family's names: drafts name it by that.
    public var family: String
    /// `Regular`, `Bold Italic`, ...
    public var style: String
    public var file: String
}

extension FontLibrary {
    /// All of them, in no order; a variable font once for each of its named styles.
    public var fonts: Set<InstalledFont> {
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
