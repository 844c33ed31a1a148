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

    /// Runs `ffmpeg` without output. Files of the same name are replaced.
    /// - Throws: `Failure`, or `SubprocessError` if the tool is not installed.
    package static func ffmpeg(_ arguments: [String]) async throws {
        _ = try await run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
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
