import CAss

/// The library that draws captions.
package enum CaptionLibrary {
    /// The name and version of the library in use. libass writes its version in binary-coded decimals: one digit, and
    /// three times two (`LIBASS_VERSION` in `ass.h`).
    package static var version: (name: String, version: String) {
        let code = ass_library_version()
        let parts = [code >> 28 & 0xF, code >> 20 & 0xFF, code >> 12 & 0xFF]
        return ("libass", parts.map { String($0, radix: 16) }.joined(separator: "."))
    }
}
