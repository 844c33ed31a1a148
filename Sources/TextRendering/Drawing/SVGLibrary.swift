import CRsvg

/// The library that draws SVG files.
package enum SVGLibrary {
    package static var version: (name: String, version: String) {
        ("librsvg", "\(rsvg_major_version).\(rsvg_minor_version).\(rsvg_micro_version)")
    }
}
