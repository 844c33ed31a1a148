import Subprocess
import SystemPackage

/// Debian's Python with the packages that Debian installs for it, above all Pillow: an independent witness for pictures, and
/// the maker of files that Spool reads but does not write.
public enum PythonTool {
    /// Runs a script.
    /// - Returns: what it prints.
    /// - Throws: `FFmpegTool.Failure` with Python's own words.
    public static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: Arguments(["-c", script] + arguments), input: .none,
            output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw FFmpegTool.Failure(description: "python3: \(result.standardError)")
        }
        return result.standardOutput
    }
}
