import ArgumentParser
import Spelling

/// The words of the command line before they are parsed.
enum CommandWords {
    /// The same words with every negative number joined to the option that it belongs to, as in `--priority=-5`: apart the parser takes it for
    /// an option of its own.
    static func joiningNegativeValues(_ words: [String]) -> [String] {
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

    /// - Throws: `CommandFailure`, a usage error, when the words name a command that there is not, with the one that was most likely meant.
    static func checkCommand(_ words: [String], of command: any ParsableCommand.Type) throws {
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
            let names = subcommands.map { $0._commandName } + (path.count == 1 ? ["help"] : [])
            guard word != "help" else { return }
            let hint = nearestName(to: word, among: names).map { "did you mean '\($0)'? " } ?? ""
            let place = path.joined(separator: " ")
            throw CommandFailure(
                "'\(place)' has no command '\(word)'; \(hint)'\(place) --help' lists all", status: ExitStatus.usage)
        }
    }
}
