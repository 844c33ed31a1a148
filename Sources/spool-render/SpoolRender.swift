import ArgumentParser

/// `spool-render`: the program that decodes, draws and encodes. `spool` starts it beside itself, a process for each slot; it
/// alone loads the media libraries.
@main
struct SpoolRender: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool-render", abstract: "Renders what spool hands it.",
        subcommands: [
            ServeCommand.self, CaptureCommand.self, CodecsCommand.self, PluginsCommand.self, FontsCommand.self,
            SampleMediaCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}
