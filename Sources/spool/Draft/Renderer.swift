import CommandLineInterface
import LocalFarm
import ExportPlan
import ProcessIsolation
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
    ///   - group: the control group of this program, below which each process gets one; nil makes none.
    ///   - layers: the layers of the sandbox without which a limited process takes no job.
    static func process(
        memory: Int? = nil, user: UnprivilegedUser? = nil, below group: DelegatedControlGroup? = nil,
        requiring layers: [SandboxLayer] = []
    ) throws -> RenderingProcess {
        let limits = memory.map { ["--limited", "--memory", "\($0)"] } ?? []
        let required = layers.isEmpty ? [] : ["--require", layers.map(\.rawValue).joined(separator: ",")]
        return RenderingProcess(
            executable: try executable(), arguments: ["serve"] + limits + identity(of: user) + required,
            groups: group.map { RendererGroups(below: $0, memory: Int64(memory ?? 0) << 20) })
    }

    /// Tries the sandbox of limited processes on this machine.
    /// - Parameters:
    ///   - group: finds the control group of this program, or throws why it can make none below it.
    ///   - store: the directory of the farm's store; nil where there is none.
    static func sandbox(
        user: UnprivilegedUser?, below group: Result<DelegatedControlGroup, any Error>, store: String? = nil
    ) async throws -> SandboxReport {
        let place = store.map { ["--store", $0] } ?? []
        let made = Result { try RendererGroups(below: group.get(), memory: 1 << 30).make() }
        let ownGroup = try? made.get()
        let membership = ownGroup.map { ["--control-group", $0.directory] } ?? []
        let answer: String
        do {
            answer = try await output(of: ["sandbox"] + identity(of: user) + place + membership)
        } catch {
            await ownGroup?.remove(within: .seconds(1))
            throw error
        }
        await ownGroup?.remove(within: .seconds(1))
        var report = try MessageLine.decode(SandboxReport.self, answer)
        if case .failure(let error) = made { report.missing[.controlGroup] = "\(error)" }
        return report
    }

    private static func identity(of user: UnprivilegedUser?) -> [String] {
        user.map { ["--user", "\($0.userID):\($0.groupID)"] } ?? []
    }

    /// The codecs on this machine.
    static func codecs() async throws -> InstalledCodecs {
        try MessageLine.decode(InstalledCodecs.self, try await output(of: ["codecs"]))
    }

    /// The plug-in files on this machine.
    static func plugins() async throws -> FoundPlugins {
        try MessageLine.decode(FoundPlugins.self, try await output(of: ["plugins"]))
    }

    /// The plug-ins in the LADSPA libraries of this machine. Each library is loaded in a process of its own; one that cannot be
    /// loaded is itself listed, so that its fault is shown.
    /// - Parameter name: only the library of this plug-in is looked at; nil stands for all.
    static func ladspaPlugins(of found: FoundPlugins, named name: String? = nil) async -> [FoundPlugins.File] {
        let libraries = found.ladspaLibraries.filter { name == nil || name?.hasPrefix("ladspa/\($0.name)/") == true }
        var plugins: [FoundPlugins.File] = []
        for library in libraries {
            do {
                let names = try MessageLine.decode([String].self, try await output(of: ["plugins", "--ladspa", library.name]))
                plugins += names.map { FoundPlugins.File(name: $0, path: library.path) }
            } catch {
                plugins.append(FoundPlugins.File(name: "ladspa/\(library.name)/?", path: library.path))
            }
        }
        return plugins
    }

    /// The fonts on this machine, sorted by name.
    static func fonts() async throws -> [FontFamily] {
        try MessageLine.decode([FontFamily].self, try await output(of: ["fonts"]))
    }

    /// Captures media from a stream into a file. The renderer reads this program's standard input.
    /// - Parameters:
    ///   - started: is told the number of the process that captures.
    ///   - progress: is told about twice a second what has come in.
    /// - Returns: what was captured in the end.
    static func capture(
        _ words: [String], started: (pid_t) -> Void, progress: (CapturedMedia) -> Void
    ) async throws -> CapturedMedia {
        let outcome = try await Subprocess.run(
            .path(FilePath(try executable())), arguments: Arguments(["capture"] + words), input: .currentStandardInput,
            output: .sequence, error: .string(limit: 1 << 20)
        ) { execution in
            started(execution.processIdentifier.value)
            var last: CapturedMedia?
            for try await line in execution.standardOutput.strings() {
                let captured = try MessageLine.decode(CapturedMedia.self, line)
                progress(captured)
                last = captured
            }
            return last
        }
        try check(outcome.terminationStatus, errors: outcome.standardError, of: "capture")
        guard let captured = outcome.closureResult, captured.ending != nil else {
            throw CommandFailure(
                "'spool-render capture' ended without saying what it captured; report this", status: ExitStatus.internalError)
        }
        return captured
    }

    /// Runs another command of the renderer.
    /// - Returns: its standard output.
    /// - Throws: `CommandFailure` with its messages.
    static func output(of words: [String]) async throws -> String {
        let outcome = try await Subprocess.run(
            .path(FilePath(try executable())), arguments: Arguments(words), input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 1 << 20))
        try check(outcome.terminationStatus, errors: outcome.standardError, of: words.first ?? "")
        return outcome.standardOutput
    }

    /// - Throws: `CommandFailure` with the program's messages, unless it ended with success.
    private static func check(_ status: TerminationStatus, errors: String, of command: String) throws {
        if status.isSuccess { return }
        let lines = errors.split(separator: "\n").map(String.init)
        if case .exited(let code) = status { throw CommandFailure(lines: lines, status: code) }
        let death = "error: 'spool-render \(command)' died: \(status)"
        throw CommandFailure(lines: lines + [death], status: ExitStatus.internalError)
    }

    /// The path of the renderer.
    static func executable() throws -> String {
        if let named = ProcessInfo.processInfo.environment["SPOOL_RENDER_EXECUTABLE"], !named.isEmpty { return named }
        return try ProgramFiles.beside(
            "spool-render", isMissing: "the rendering program: install it beside spool, or name it with SPOOL_RENDER_EXECUTABLE")
    }
}
