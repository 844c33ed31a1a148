import ArgumentParser

/// `spool-render` decodes, draws and encodes. `spool` starts one process for each slot. Only this program loads the
/// media libraries.
@main
struct SpoolRender: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool-render", abstract: "Renders the jobs that spool gives it.",
        subcommands: [
            ServeCommand.self, CaptureCommand.self, CodecsCommand.self, PluginsCommand.self, FontsCommand.self,
            SampleMediaCommand.self, SandboxCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}
