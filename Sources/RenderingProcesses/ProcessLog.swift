import ExportPlan
import Subprocess

/// The last lines that a rendering process writes to standard error for each job. Long lines are cut, so that a process
/// that writes without end uses no memory.
///
/// A job's lines end with `ChildMessage.endOfLog`.
actor ProcessLog {
    /// The greatest number of bytes kept for one job; `lineLimit` is that of one line.
    private static let limit = 16 * 1024
    private static let lineLimit = 4 * 1024

    private var lines: [String] = []
    private var byteCount = 0
    private var marks = 0
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// Reads until the process has ended.
    func listen(to output: SubprocessOutputSequence) async {
        var splitter = LineSplitter(limit: ProcessLog.lineLimit)
        do {
            for try await buffer in output { for line in buffer.withUnsafeBytes({ splitter.add($0) }) { add(line) } }
            let rest = splitter.takeRest()
            if !rest.isEmpty { add(LineSplitter.Line(bytes: rest)) }
        } catch {
            add("the rest of the log is lost: \(error)")
        }
        isOver = true
        wake()
    }

    /// The log of the job that has ended. It waits until the log is complete, but at most for `timeout`.
    /// - Returns: the text, and whether the process has marked its end.
    func take(atMost timeout: Duration) async -> (text: String, isComplete: Bool) {
        let deadline = ContinuousClock.now + timeout
        while marks == 0, !isOver, ContinuousClock.now < deadline { await wait(until: deadline) }
        let isComplete = marks > 0 || isOver
        marks = max(0, marks - 1)
        defer {
            lines = []
            byteCount = 0
        }
        return (lines.joined(separator: "\n"), isComplete)
    }

    private func add(_ line: LineSplitter.Line) {
        // PostgreSQL's texts cannot contain NUL.
        let text = String(decoding: line.bytes.map { $0 == 0 ? 0x3F : $0 }, as: UTF8.self)
        add(line.isCut ? text + " ... (a long line, cut)" : text.last == "\r" ? String(text.dropLast()) : text)
    }

    private func add(_ line: String) {
        // A library may have written a last line without a line feed.
        if line.hasSuffix(ChildMessage.endOfLog) {
            let rest = String(line.dropLast(ChildMessage.endOfLog.count))
            if !rest.isEmpty { keep(rest) }
            marks += 1
            return wake()
        }
        keep(line)
    }

    private func keep(_ line: String) {
        lines.append(line)
        byteCount += line.utf8.count + 1
        while byteCount > ProcessLog.limit, lines.count > 1 { byteCount -= lines.removeFirst().utf8.count + 1 }
    }

    private func wait(until deadline: ContinuousClock.Instant) async {
        let timer = Task {  // ends with the wait
            try? await Task.sleep(until: deadline, clock: .continuous)  // woken early: new output has come
            wake()
        }
        await withCheckedContinuation { waiting = $0 }
        timer.cancel()
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }
}
