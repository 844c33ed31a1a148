import FoundationEssentials
import Subprocess

/// The `ffmpeg` and `ffprobe` command line tools: an independent reference for the contents of files, and the writer of
/// formats that Spool reads but does not write.
package enum FFmpegTool {
    /// A failed run of a tool, with the tool's own message.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Runs `ffmpeg` without output. Files of the same name are replaced. A file that is made from no other file may be a
    /// copy of one that was made before with the same arguments (`MadeFiles`).
    /// - Throws: `Failure`, or `SubprocessError` if the tool is not installed.
    package static func ffmpeg(_ arguments: [String]) async throws {
        guard let file = arguments.last, makesOneFileFromNone(arguments) else { return try await runFFmpeg(arguments) }
        try await MadeFiles.shared.copy(to: file, madeBy: arguments.dropLast()) { path in
            try await runFFmpeg(arguments.dropLast() + [path])
        }
    }

    private static func runFFmpeg(_ arguments: [String]) async throws {
        _ = try await run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    }

    /// Whether the last argument is the only file that is made, and no file is read.
    private static func makesOneFileFromNone(_ arguments: [String]) -> Bool {
        guard let file = arguments.last, file.contains("/"), !file.contains("%"), !file.hasSuffix(".m3u8") else { return false }
        let inputs = arguments.indices.filter { arguments[$0] == "-i" }
        let areSynthetic = inputs.allSatisfy { $0 >= 2 && arguments[$0 - 2] == "-f" && arguments[$0 - 1] == "lavfi" }
        let temporary = FileManager.default.temporaryDirectory.path
        let namesFiles = arguments.dropLast().contains { $0.contains(temporary) || $0.contains("movie=") }
        return !inputs.isEmpty && areSynthetic && !namesFiles
    }

    /// Runs `ffprobe`.
    /// - Returns: its standard output.
    package static func ffprobe(_ arguments: [String]) async throws -> String {
        try await run("ffprobe", ["-v", "error"] + arguments)
    }

    private static func run(_ tool: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(tool), arguments: Arguments(arguments), input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw Failure(description: "\(tool) \(arguments.joined(separator: " ")): \(result.standardError)")
        }
        return result.standardOutput
    }
}
