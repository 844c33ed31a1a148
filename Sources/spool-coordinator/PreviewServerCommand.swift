import ArgumentParser
import CommandLineInterface
import Hummingbird
import Logging
import NIOCore
import PreviewServer
import ProcessIsolation
import ServiceLifecycle
import UnixSignals
import FoundationEssentials

/// The program as `spool preview` starts it (docs/preview.md).
struct PreviewProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool-coordinator", subcommands: [PreviewServerCommand.self])
}

/// `spool-coordinator preview-server`: serves the page of `spool preview`. It is not listed for people.
///
/// Messages of the engine come on standard input (`EngineEvent`), those to it go to standard output (`ServerReport`), each
/// a line of JSON. The command ends with standard input, and at SIGTERM.
struct PreviewServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview-server", abstract: "Serve the page of 'spool preview', which starts it.", shouldDisplay: false)

    @Option(help: "The directory that the engine writes into.")
    var directory: String

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: Int

    @Option(help: "The secret in the page's address. Without it the variable PREVIEW_TOKEN has it, which others cannot see.")
    var token: String?

    /// How long requests that are being answered may take when the engine has gone.
    private static let farewell = Duration.seconds(3)

    func run() async throws {
        Isolation.hide()
        OpenFiles.allowMany()
        guard let token = PreviewToken(token ?? ProcessInfo.processInfo.environment["PREVIEW_TOKEN"] ?? "") else {
            throw CommandFailure(
                "the token has to be 16...200 letters, digits, '.', '_' and '-'; give it with --token or in PREVIEW_TOKEN",
                status: ExitStatus.usage)
        }
        guard (0...65_535).contains(port) else {
            throw CommandFailure("--port has to be 0...65535, not '\(port)'", status: ExitStatus.usage)
        }
        var logger = Logger(label: "preview")
        logger.logLevel = .warning
        var options = PreviewService.Options()
        options.host = host
        let service = PreviewService(directory: directory, token: token, options: options, report: PreviewServerCommand.send)
        let server = Application(
            router: service.router(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "spool"),
            onServerRunning: { [port] channel in
                PreviewServerCommand.send(.listening(port: channel.localAddress?.port ?? port))
            }, logger: logger)
        // The last service ends first: with the engine's messages end the streams for which the server would wait.
        var group = ServiceGroupConfiguration(
            services: [
                ServiceGroupConfiguration.ServiceConfiguration(service: server),
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: EngineInput(service: service, logger: logger),
                    successTerminationBehavior: .gracefullyShutdownGroup),
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = PreviewServerCommand.farewell
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            throw CommandFailure(listeningOn: host, port, error, hostOption: "--host", portOption: "--port")
        }
    }

    @Sendable private static func send(_ report: ServerReport) { StandardOutput.write(report.line + "\n") }
}
