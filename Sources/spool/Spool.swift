import ArgumentParser
import Logging
import FoundationEssentials
import Glibc

/// The `spool` command and its subcommands.
@main
struct Spool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool",
        abstract: "Renders video drafts into films.",
        version: version,
        subcommands: [
            ExportCommand.self, ValidateCommand.self, CompositionCommand.self, PlanCommand.self, ProbeCommand.self,
            FrameCommand.self, ThumbnailsCommand.self, SnapshotsCommand.self, TimeCommand.self,
            WaveformCommand.self, ClipsCommand.self, EditCommand.self, OperationsCommand.self,
            RecordCommand.self, PluginsCommand.self, FontsCommand.self, DoctorCommand.self, SampleMediaCommand.self,
            UpCommand.self, BenchCommand.self, GuardCommand.self, MigrateCommand.self, CoordinatorCommand.self,
            SubmitCommand.self, StatusCommand.self, WatchCommand.self, CancelCommand.self, RerunCommand.self,
            DownloadCommand.self, DraftCommand.self, AssetCommand.self, QueueCommand.self, JobCommand.self,
            WorkerCommand.self, CostModelCommand.self, TenantCommand.self, TokenCommand.self, GarbageCollectionCommand.self,
        ])

    /// The version of the programs (SemVer). `CHANGELOG.md` says what it has.
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.secure()
        LoggingSystem.bootstrap { PrintableLog(label: $0) }
        systemExit(StandardOutput.end(await run()))
    }

    /// Runs the command that the words name.
    /// - Returns: its exit code.
    private static func run() async -> Int32 {
        do {
            try CommandWords.checkEncoding()
            let words = CommandWords.joiningNegativeValues(Array(CommandLine.arguments.dropFirst()))
            try CommandWords.checkCommand(words, of: Spool.self)
            var command = try parseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            if let failure = CommandFailure(any: error) { return failure.tell() }
            return await tell(error)
        }
    }

    /// Prints the message of the command line's parser, which is also how it answers `--help` and `--version`.
    /// - Returns: the exit code.
    private static func tell(_ error: any Error) async -> Int32 {
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        guard !code.isSuccess else {
            // This is all that the parser says to `--version`.
            if text == version {
                await VersionReport.print()
                return 0
            }
            Terminal.print(document: Data(text.utf8))
            return 0
        }
        // The parser uses its own exit code for its own errors, and this code for all other, unexpected errors.
        if code == .failure { return CommandFailure("unexpected: \(error)", status: ExitStatus.internalError).tell() }
        if !text.isEmpty {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).forEach(Terminal.error)
        }
        return code.rawValue
    }
}

/// The system's `exit`; inside the type the parser's method of the same name would be called.
private func systemExit(_ status: Int32) -> Never { exit(status) }
