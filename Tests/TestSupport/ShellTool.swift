import Subprocess

/// Runs a line in a shell, for limits, signals and job control, which only a shell can set up.
package enum ShellTool {
    package static func run(_ line: String) async throws -> SpoolTool.Outcome {
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-c", line], input: .none, output: .string(limit: 16 << 20),
            error: .string(limit: 16 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return SpoolTool.Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }
}
