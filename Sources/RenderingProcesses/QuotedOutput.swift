/// A process's output for an error message: at most 120 characters; those that a terminal would not show as text are
/// written as `\u{...}`.
func quoted(_ bytes: some Collection<UInt8>) -> String {
    let limit = 120
    // A character has at most four bytes, so no later bytes can be shown.
    let text = String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
    var shown = ""
    var isCut = bytes.count > limit * 4
    for (place, scalar) in text.unicodeScalars.enumerated() {
        guard place < limit else {
            isCut = true
            break
        }
        shown += isPrintable(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return "'\(shown)'" + (isCut ? " and so on, \(bytes.count) bytes" : "")
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
}
