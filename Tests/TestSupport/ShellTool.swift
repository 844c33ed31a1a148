import Subprocess

/// A line for the shell, for what only a shell can set up: limits, signals, job control.
public enum ShellTool {
    public static func run(_ line: String) async throws -> SpoolTool.Outcome {
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-c", line], input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 16 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return SpoolTool.Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
