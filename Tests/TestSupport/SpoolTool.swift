import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The built `spool` command, run as a user runs it.
public enum SpoolTool {
    /// How a run ended.
    public struct Outcome: Sendable {
        /// Exit code; nil when a signal ended it.
        public let status: Int32?
        public let output: String
        public let errors: String
    }

    /// `SPOOL_EXECUTABLE`, or the release build of the package that these sources belong to.
    public static let executable: String = {
        if let named = ProcessInfo.processInfo.environment["SPOOL_EXECUTABLE"] { return named }
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path + "/.build/release/spool"
    }()

    public static func run(_ arguments: [String]) async throws -> Outcome {
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: Arguments(arguments), input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 16 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }

    /// Writes a draft, exports it fast and small, and expects nothing but success.
    /// - Returns: the film's path.
    /// - Throws: with what spool said, when the export fails.
    public static func export(
        _ draft: String, in directory: TemporaryDirectory, name: String = "film.mp4", _ options: [String] = []
    ) async throws -> String {
        let path = directory.file("\(name).json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let film = directory.file(name)
        let outcome = try await run(
            ["export", path, "-o", film, "--cache", directory.file("cache"), "--set", "encoderSpeed=ultrafast"] + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
        return film
    }
}
