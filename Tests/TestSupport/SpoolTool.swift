import Subprocess
import SystemPackage
import FoundationEssentials

/// The built `spool` command, run as a user runs it.
package enum SpoolTool {
    /// The result of a run.
    package struct Outcome: Sendable {
        /// The exit code; nil if a signal ended it.
        package let status: Int32?
        package let output: String
        package let errors: String
    }

    /// The path of `spool`: `SPOOL_EXECUTABLE`, or the release build of the package that these sources belong to.
    package static let executable: String = {
        if let named = ProcessInfo.processInfo.environment["SPOOL_EXECUTABLE"] { return named }
        return root + "/.build/release/spool"
    }()

    /// The folder of the package that these sources belong to.
    package static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()

    package static func run(_ arguments: [String]) async throws -> Outcome {
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: Arguments(arguments), input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 16 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }

    /// Writes a draft, exports it with fast settings at a small size, and requires success.
    /// - Returns: the film's path.
    /// - Throws: spool's messages, if the export fails.
    package static func export(
        _ draft: String, in directory: TemporaryDirectory, name: String = "film.mp4", _ options: [String] = []
    ) async throws -> String {
        let path = directory.file("\(name).json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let film = directory.file(name)
        // Films of these types have an encoder with speeds, unless the options choose ProRes, which keeps alpha in MOV.
        let hasSpeed = ["mp4", "mov", "mkv", "webm", "ts"].contains { name.hasSuffix(".\($0)") }
        let isTransparentMOV = name.hasSuffix(".mov") && options.contains("alpha=true")
        let isFast = hasSpeed && !isTransparentMOV && !options.contains { $0.lowercased().contains("prores") }
        let outcome = try await run(
            ["export", path, "-o", film, "--cache", directory.file("cache")]
                + (isFast ? ["--set", "encoderSpeed=ultrafast"] : []) + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
        return film
    }
}
