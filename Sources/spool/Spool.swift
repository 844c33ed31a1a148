import ArgumentParser
import CommandLineInterface

/// The `spool` command and its subcommands.
@main
struct Spool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool",
        abstract: "Renders video drafts into films.",
        version: version,
        subcommands: [
            ExportCommand.self, PreviewCommand.self, VerifyCommand.self, ReproduceCommand.self, ValidateCommand.self,
            CompositionCommand.self,
            PlanCommand.self, ProbeCommand.self,
            FrameCommand.self, ThumbnailsCommand.self, SnapshotsCommand.self, TimeCommand.self,
            WaveformCommand.self, ClipsCommand.self, PresetsCommand.self, EditCommand.self, OperationsCommand.self,
            RecordCommand.self, PluginsCommand.self, FontsCommand.self, DoctorCommand.self, SampleMediaCommand.self,
            UpCommand.self, BenchCommand.self, GuardCommand.self, MigrateCommand.self, CoordinatorCommand.self,
            SubmitCommand.self, BatchCommand.self, StatusCommand.self, WatchCommand.self, CancelCommand.self,
            PrioritizeCommand.self, RerunCommand.self, RemoveCommand.self,
            DownloadCommand.self, DraftCommand.self, AssetCommand.self, QueueCommand.self, JobCommand.self,
            WhyCommand.self, TopCommand.self, DeadLetterCommand.self,
            WorkerCommand.self, CostModelCommand.self, AuditCommand.self, TenantCommand.self, TokenCommand.self,
            WebhookCommand.self, PublishCommand.self,
            GarbageCollectionCommand.self,
        ])

    static let version = SpoolVersion.text

    static func main() async { await CommandProgram.run(Spool.self, printVersion: VersionReport.print) }
}
