import CPango

/// The libraries that find fonts and draw text.
package enum TextLibraries {
    /// The names and versions of the libraries in use.
    package static var versions: [(name: String, version: String)] {
        let fontconfig = FcGetVersion()
        return [
            ("pango", String(cString: pango_version_string())), ("cairo", String(cString: cairo_version_string())),
            ("harfbuzz", String(cString: hb_version_string())),
            ("fontconfig", "\(fontconfig / 10000).\(fontconfig / 100 % 100).\(fontconfig % 100)"),
        ]
    }
}
