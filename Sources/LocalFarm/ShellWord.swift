/// Texts as words of a shell command, for people who copy it.
package enum ShellWord {
    /// The text itself where no character of it has a meaning for the shell; otherwise in single quotes.
    package static func quoted(_ text: String) -> String {
        let plain = "/.-_+:=@%,"
        let isPlain = !text.isEmpty && text.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || plain.contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
