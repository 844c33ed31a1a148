import CommandLineInterface
import LocalFarm
import ExportPlan
import RenderingProcesses
import Subprocess
import SystemPackage
import FoundationEssentials
import Glibc

/// The rendering program `spool-render`, which lies beside this one. `SPOOL_RENDER_EXECUTABLE` names another program,
/// such as a script that starts it under a debugger.
enum Renderer {
    /// The command that starts a rendering process for jobs.
    /// - Parameters:
    ///   - memory: the limit of its memory in megabytes; nil sets none.
    ///   - user: the user that a limited process runs as; nil for the calling user.
    static func process(memory: Int? = nil, user: UnprivilegedUser? = nil) throws -> RenderingProcess {
        let limits = memory.map { ["--limited", "--memory", "\($0)"] } ?? []
        let identity = user.map { ["--user", "\($0.userID):\($0.groupID)"] } ?? []
        return RenderingProcess(executable: try executable(), arguments: ["serve"] + limits + identity)
    }

    /// The codecs on this machine.
    static func codecs() async throws -> InstalledCodecs {
        try MessageLine.decode(InstalledCodecs.self, try await output(of: ["codecs"]))
    }

    /// The plug-in files on this machine.
    static func plugins() async throws -> FoundPlugins {
        try MessageLine.decode(FoundPlugins.self, try await output(of: ["plugins"]))
    }

    /// The fonts on this machine, sorted by name.
    static func fonts() async throws -> [FontFamily] {
        try MessageLine.decode([FontFamily].self, try await output(of: ["fonts"]))
    }

    /// Captures media from a stream into a file. The renderer reads this program's standard input.
    /// - Parameter stop: ends the capture before the input ends.
    static func capture(_ words: [String], _ stop: CaptureStop?) async throws -> CapturedMedia {
        defer { stop?.note(nil) }
        let text = try await output(of: ["capture"] + words, input: .currentStandardInput) { stop?.note($0) }
        return try MessageLine.decode(CapturedMedia.self, text)
    }

    /// Runs another command of the renderer.
    /// - Returns: its standard output.
    /// - Throws: `CommandFailure` with its messages.
    static func output(of words: [String]) async throws -> String { try await output(of: words, input: .none) }

    /// - Parameter started: is told the process's number.
    private static func output(
        of words: [String], input: some InputProtocol, started: (pid_t) -> Void = { _ in }
    ) async throws -> String {
        let outcome = try await Subprocess.run(
            .path(FilePath(try executable())), arguments: Arguments(words), input: input, output: .string(limit: 16 << 20),
            error: .string(limit: 1 << 20)
        ) { started($0.processIdentifier.value) }
        if outcome.terminationStatus.isSuccess { return outcome.standardOutput }
        let lines = outcome.standardError.split(separator: "\n").map(String.init)
        if case .exited(let code) = outcome.terminationStatus { throw CommandFailure(lines: lines, status: code) }
        let death = "error: 'spool-render \(words.first ?? "")' died: \(outcome.terminationStatus)"
        throw CommandFailure(lines: lines + [death], status: ExitStatus.internalError)
    }

    /// The path of the renderer.
    static func executable() throws -> String {
        if let named = ProcessInfo.processInfo.environment["SPOOL_RENDER_EXECUTABLE"], !named.isEmpty { return named }
        return try ProgramFiles.beside(
            "spool-render", isMissing: "the rendering program: install it beside spool, or name it with SPOOL_RENDER_EXECUTABLE")
    }
}
