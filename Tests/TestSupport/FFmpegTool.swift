import Subprocess

/// The `ffmpeg` and `ffprobe` command line tools: an independent witness for what a file holds, and the maker of files
/// in formats that Spool reads but does not write.
public enum FFmpegTool {
    /// A run of a tool that did not end well, with the tool's own words.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// Runs `ffmpeg`, quietly and replacing files of the same name.
    /// - Throws: `Failure`, or `SubprocessError` where the tool is not installed.
    public static func ffmpeg(_ arguments: [String]) async throws {
        _ = try await run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    }

    /// Runs `ffprobe`.
    /// - Returns: what it prints.
    public static func ffprobe(_ arguments: [String]) async throws -> String {
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
