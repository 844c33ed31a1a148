package import ArgumentParser
import Vocabulary
import Glibc

/// Checks and changes of the command line's words before they are parsed.
package enum CommandWords {
    /// Refuses words that are not UTF-8, the encoding of this program's texts. Such a word would get replacement
    /// characters and could then name another file than the intended one.
    /// - Throws: `CommandFailure`, a usage error, that names the first such word.
    package static func checkEncoding() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            let bytes = UnsafeBufferPointer(start: word, count: strlen(word)).map(UInt8.init(bitPattern:))
            throw CommandFailure(
                "argument \(index), $'\(escaped(bytes))', is not valid UTF-8; if it is the name of a file, rename it, or make a link to it with another name",
                status: ExitStatus.usage)
        }
    }

    /// Bytes in the notation that shells read between $' and '.
    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }

    /// The words with every negative number joined to its option, as in `--priority=-5`. The parser would take a
    /// separate negative number for an option.
    package static func joiningNegativeValues(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (index, word) in words.enumerated() {
            guard word != "--" else { return joined + words[index...] }
            if let option = joined.last, option.hasPrefix("--"), !option.contains("="), isNegativeNumber(word) {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        guard word.first == "-", let next = word.dropFirst().first else { return false }
        return next.isASCII && (next.isNumber || next == ".")
    }

    /// - Throws: `CommandFailure`, a usage error, when the words name an unknown command, with the most similar known
    ///   one.
    package static func checkCommand(_ words: [String], of command: any ParsableCommand.Type) throws {
        var command: any ParsableCommand.Type = command
        var path = [command._commandName]
        for word in words {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            let names =
                subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName } + (path.count == 1 ? ["help"] : [])
            guard word != "help" else { return }
            let hint = nearestName(to: word, among: names).map { "did you mean '\($0)'? " } ?? ""
            let place = path.joined(separator: " ")
            throw CommandFailure(
                "'\(place)' has no command '\(word)'; \(hint)'\(place) --help' lists all", status: ExitStatus.usage)
        }
    }

    /// The fault of an option that the named command does not have. The parser does not say it where an argument that has
    /// to be given is missing, too.
    /// - Returns: nil if the command has all options of the words.
    package static func unknownOption<Root: ParsableCommand>(_ words: [String], of root: Root.Type) -> CommandFailure? {
        let (command, path) = named(by: words, in: root)
        let help = root.helpMessage(for: command, includeHidden: true)
        let options = help.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")) }.filter { $0.hasPrefix("--") }
            .map(String.init)
        let given = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }.map(String.init)
        guard let unknown = given.first(where: { !options.contains($0) && $0 != "--help" && $0 != "--version" }) else {
            return nil
        }
        let hint = nearestName(to: unknown, among: options).map { "did you mean '\($0)'? " } ?? ""
        return CommandFailure(
            "'\(path)' has no option '\(unknown)'; \(hint)'\(path) --help' lists all", status: ExitStatus.usage)
    }

    /// The command that words name, and its words.
    private static func named(
        by words: [String], in root: any ParsableCommand.Type
    ) -> (command: any ParsableCommand.Type, path: String) {
        var (command, path) = (root, [root._commandName])
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
            path.append(word)
        }
        return (command, path.joined(separator: " "))
    }
}
