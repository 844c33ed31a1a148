package import ArgumentParser
import Logging
import FoundationEssentials
import Glibc

/// A whole program: it parses its command line, runs the command that is named there, and ends. `Spool` and
/// `SpoolCoordinator` begin with it.
package enum CommandProgram {
    /// Runs the program. It begins on the main actor, so that a command that is not asynchronous runs on the program's
    /// first thread; `spool coordinator`, which replaces the program by another one, depends on that.
    /// - Parameters:
    ///   - root: the program's command, with all subcommands.
    ///   - printVersion: answers `--version`; nil for the version alone.
    @MainActor
    package static func run<Root: AsyncParsableCommand>(
        _ root: Root.Type, printVersion: (@Sendable () async -> Void)? = nil
    ) async -> Never {
        StandardStreams.secure()
        LoggingSystem.bootstrap { ProcessLogHandler(label: $0) }
        exit(StandardOutput.end(await status(of: root, printVersion)))
    }

    /// Runs the command that the words name.
    /// - Returns: its exit code.
    @MainActor
    private static func status<Root: AsyncParsableCommand>(
        of root: Root.Type, _ printVersion: (@Sendable () async -> Void)?
    ) async -> Int32 {
        var words: [String] = []
        do {
            try CommandWords.checkEncoding()
            words = CommandWords.joiningNegativeValues(Array(CommandLine.arguments.dropFirst()))
            try CommandWords.checkCommand(words, of: root)
            var command = try root.parseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            if let failure = CommandFailure(any: error) { return failure.tell() }
            return await tell(error, of: root, words, printVersion)
        }
    }

    /// Prints the message of the command line's parser, which is also how it answers `--help` and `--version`.
    /// - Returns: the exit code.
    @MainActor
    private static func tell<Root: AsyncParsableCommand>(
        _ error: any Error, of root: Root.Type, _ words: [String], _ printVersion: (@Sendable () async -> Void)?
    ) async -> Int32 {
        let code = root.exitCode(for: error)
        let text = root.fullMessage(for: error)
        guard !code.isSuccess else {
            // This is all that the parser says to `--version`.
            if let printVersion, text == root.configuration.version {
                await printVersion()
                return 0
            }
            Terminal.print(document: Data(text.utf8))
            return 0
        }
        // The parser uses its own exit code for its own errors, and this code for all other, unexpected errors.
        if code == .failure { return CommandFailure("unexpected: \(error)", status: ExitStatus.internalError).tell() }
        if text.hasPrefix("Error: Missing expected argument"), let fault = CommandWords.unknownOption(words, of: root) {
            return fault.tell()
        }
        if !text.isEmpty {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).forEach(Terminal.error)
        }
        return code.rawValue
    }
}
