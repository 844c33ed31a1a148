import Subprocess
import SystemPackage

/// Debian's Python with Debian's packages, above all Pillow: an independent reference for pictures, and the writer of
/// formats that Spool reads but does not write.
package enum PythonTool {
    /// Runs a script.
    /// - Returns: its standard output.
    /// - Throws: `FFmpegTool.Failure` with Python's own message.
    package static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: Arguments(["-c", script] + arguments), input: .none,
            output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw FFmpegTool.Failure(description: "python3: \(result.standardError)")
        }
        return result.standardOutput
    }
}
