import LocalServers
import RenderMessages
import RenderingProcesses
import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The program that renders: `spool-render`, which lies beside this one. `SPOOL_RENDER_EXECUTABLE` names another, such as a
/// script that starts it under a debugger.
enum Renderer {
    /// How it is started to take jobs.
    /// - Parameters:
    ///   - memory: megabytes that it may use; nil limits nothing.
    ///   - user: whom it becomes, where it is limited; nil for the one who calls.
    static func process(memory: Int? = nil, user: UnprivilegedUser? = nil) throws -> RenderingProcess {
        let limits = memory.map { ["--limited", "--memory", "\($0)"] } ?? []
        let identity = user.map { ["--user", "\($0.userID):\($0.groupID)"] } ?? []
        return RenderingProcess(executable: try executable(), arguments: ["serve"] + limits + identity)
    }

    /// The codecs that it finds on this machine.
    static func codecs() async throws -> InstalledCodecs {
        try MessageLine.decode(InstalledCodecs.self, try await output(of: ["codecs"]))
    }

    /// The plug-in files that it finds on this machine.
    static func plugins() async throws -> FoundPlugins {
        try MessageLine.decode(FoundPlugins.self, try await output(of: ["plugins"]))
    }

    /// The fonts that it finds on this machine, in order of their names.
    static func fonts() async throws -> [FontFamily] {
        try MessageLine.decode([FontFamily].self, try await output(of: ["fonts"]))
    }

    /// Takes media that come once into a file. It has this program's standard input.
    static func capture(_ words: [String]) async throws -> CapturedMedia {
        try MessageLine.decode(CapturedMedia.self, try await output(of: ["capture"] + words, input: .currentStandardInput))
    }

    /// Runs one of its other commands.
    /// - Returns: what it printed.
    /// - Throws: `CommandFailure` with what it said.
    static func output(of words: [String]) async throws -> String { try await output(of: words, input: .none) }

    private static func output(of words: [String], input: some InputProtocol) async throws -> String {
        let outcome = try await Subprocess.run(
            .path(FilePath(try executable())), arguments: Arguments(words), input: input, output: .string(limit: 16 << 20),
            error: .string(limit: 1 << 20))
        if outcome.terminationStatus.isSuccess { return outcome.standardOutput }
        var status = ExitStatus.internalError
        if case .exited(let code) = outcome.terminationStatus { status = code }
        throw CommandFailure(lines: outcome.standardError.split(separator: "\n").map(String.init), status: status)
    }

    /// Its file.
    static func executable() throws -> String {
        if let named = ProcessInfo.processInfo.environment["SPOOL_RENDER_EXECUTABLE"], !named.isEmpty { return named }
        let beside = URL(fileURLWithPath: try ownExecutable()).deletingLastPathComponent().path + "/spool-render"
        guard FileManager.default.isExecutableFile(atPath: beside) else {
            throw CommandFailure(
                "'\(beside)' is missing, the program that renders: install it beside spool, or name it with "
                    + "SPOOL_RENDER_EXECUTABLE", status: ExitStatus.unavailable)
        }
        return beside
    }

    /// This program's file.
    static func ownExecutable() throws -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw CommandFailure("cannot find its own program file in /proc", status: ExitStatus.internalError)
        }
    }
}
