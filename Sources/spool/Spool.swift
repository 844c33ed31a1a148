import ArgumentParser
import ExportPlan
import FarmClient
import Logging
import OwnedFiles
import Recorder

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
            UpCommand.self, MigrateCommand.self, CoordinatorCommand.self,
            SubmitCommand.self, StatusCommand.self, WatchCommand.self, CancelCommand.self, RerunCommand.self,
            DownloadCommand.self, DraftCommand.self, AssetCommand.self, QueueCommand.self, JobCommand.self,
            WorkerCommand.self, TenantCommand.self, TokenCommand.self,
        ])

    static let version = "0.1.0"

    static func main() async {
        LoggingSystem.bootstrap { PrintableLog(label: $0) }
        do {
            let words = CommandWords.joiningNegativeValues(Array(CommandLine.arguments.dropFirst()))
            try CommandWords.checkCommand(words, of: Spool.self)
            var command = try parseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.printAndExit()
        } catch let failure as ClientFailure {
            CommandFailure(failure).printAndExit()
        } catch let failure as RecordingError {
            CommandFailure(failure).printAndExit()
        } catch let fault as OutputCheck.Fault {
            CommandFailure(fault).printAndExit()
        } catch let failure as any ClassifiedError {
            // Such as a store that cannot be read, which every command may meet.
            CommandFailure(failure).printAndExit()
        } catch {
            exit(withError: error)
        }
    }
}
