import CommandLineInterface
import RenderingProcesses
import Subprocess
import Synchronization
import SystemPackage
import FoundationEssentials
import Glibc

/// The process that serves the page: `spool-coordinator`, which has the HTTP server
/// (docs/decisions/0059-preview.md). Events go to its standard input, and it answers on its standard output.
final class PreviewServerProcess: Sendable {
    private let program: String
    private let directory: PreviewDirectory
    private let host: String
    private let port: Int
    private let events: AsyncStream<PreviewEvent>
    private let sender: AsyncStream<PreviewEvent>.Continuation

    init(program: String, directory: PreviewDirectory, host: String, port: Int) {
        self.program = program
        self.directory = directory
        self.host = host
        self.port = port
        (events, sender) = AsyncStream.makeStream()
    }

    /// Tells the server of an event, soon.
    func send(_ event: PreviewEvent) { sender.yield(event) }

    /// Runs the server until its task is cancelled.
    /// - Parameters:
    ///   - session: hears what the pages want.
    ///   - ready: is given the address of the page.
    /// - Throws: `CommandFailure` where the server cannot start, with its own message.
    func run(hears session: PreviewSession, ready: @escaping @Sendable (String) -> Void) async throws {
        let token = PreviewServerProcess.newToken()
        let (events, sender, host) = (events, sender, host)
        let log = LastLines()
        let outcome = try await Subprocess.run(
            .path(FilePath(program)),
            arguments: ["preview-server", "--directory", directory.path, "--host", host, "--port", "\(port)"],
            // Other users see the words of a command line, and not its environment.
            environment: .inherit.updating(["PREVIEW_TOKEN": token]),
            input: .inputWriter, output: .sequence, error: .sequence
        ) { execution in
            async let sending: Void = {
                for await event in events {
                    // If the server is gone, its output ends as well, which says why.
                    guard let line = try? JSONEncoder().encode(event) + [0x0A],
                        (try? await execution.standardInputWriter.write(Array(line))) != nil
                    else { return }
                }
            }()
            async let logging: Void = {
                for try await line in execution.standardError.strings() { log.add(line) }
            }()
            for try await line in execution.standardOutput.strings() {
                guard let message = try? JSONDecoder().decode(PreviewMessage.self, from: Data(line.utf8)) else { continue }
                if let port = message.listening {
                    let name = host.contains(":") ? "[\(host)]" : host
                    ready("http://\(name):\(port)/?token=\(token)")
                }
                await session.heard(message)
            }
            try await logging
            sender.finish()
            await sending
        }
        try Task.checkCancellation()
        let lines = log.all
        let cause =
            switch outcome.terminationStatus {
            case .exited(let code): "with exit code \(code)"
            case .signaled(let number): "by signal \(number)"
            }
        throw CommandFailure(
            lines: lines.isEmpty
                ? ["error: the server of the preview has ended \(cause); begin the preview again"] : lines,
            status: PreviewServerProcess.status(of: outcome.terminationStatus))
    }

    private static func status(of status: TerminationStatus) -> Int32 {
        if case .exited(let code) = status, code != 0 { Int32(code) } else { ExitStatus.internalError }
    }

    /// 128 random bits as text.
    private static func newToken() -> String {
        var numbers = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &numbers), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Opens the page in the browser of this machine; nothing happens where there is none. A private file leads to the
    /// address, because other users see the words of a command line.
    func openBrowser(_ address: String) throws {
        let page = #"<!DOCTYPE html><meta http-equiv="refresh" content="0; url=\#(address)">"#
        try directory.write(page.utf8, to: "open.html")
        let file = directory.path + "/open.html"
        Task {  // it ends with the program that it starts
            _ = try? await Subprocess.run(
                .name("xdg-open"), arguments: [file], input: .none, output: .discarded, error: .discarded)
        }
    }
}

/// The last lines that the server has written to its log.
private final class LastLines: Sendable {
    private static let limit = 20
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0 = ($0 + [line]).suffix(LastLines.limit) } }

    var all: [String] { lines.withLock { $0 } }
}
