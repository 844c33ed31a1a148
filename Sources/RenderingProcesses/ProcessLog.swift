import RenderMessages
import Subprocess

/// What a rendering process writes to standard error, job by job: the last lines of each.
///
/// A job's lines end with `ChildMessage.endOfLog`.
actor ProcessLog {
    /// Bytes that are kept of one job.
    private static let limit = 16 * 1024

    private var lines: [String] = []
    private var byteCount = 0
    private var marks = 0
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// Reads until the process is gone.
    func listen(to output: SubprocessOutputSequence) async {
        do {
            for try await line in output.strings(bufferingPolicy: .unbounded) { add(line) }
        } catch {
            add("the rest of the log is lost: \(error)")
        }
        isOver = true
        wake()
    }

    /// The lines of the job that is over; waits until all of them are there.
    func take() async -> String {
        while marks == 0, !isOver { await withCheckedContinuation { waiting = $0 } }
        marks = max(0, marks - 1)
        defer {
            lines = []
            byteCount = 0
        }
        return lines.joined(separator: "\n")
    }

    private func add(_ line: String) {
        let line = line.last?.isNewline == true ? String(line.dropLast()) : line
        guard line != ChildMessage.endOfLog else {
            marks += 1
            return wake()
        }
        lines.append(line)
        byteCount += line.utf8.count + 1
        while byteCount > ProcessLog.limit, lines.count > 1 { byteCount -= lines.removeFirst().utf8.count + 1 }
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }
}
