import RenderingProcesses
import Synchronization

/// An export's progress on standard error: one line that is drawn over on a terminal, a line every tenth otherwise.
final class ProgressBar: Sendable {
    private struct State {
        var progress = LocalExport.Progress()
        var startedAt: ContinuousClock.Instant?
        var drawnAt: ContinuousClock.Instant?
        var printedTenth = -1
    }

    private let isInteractive = Terminal.isInteractive
    private let state = Mutex(State())

    /// What was shown last.
    var last: LocalExport.Progress { state.withLock { $0.progress } }

    func show(_ progress: LocalExport.Progress) {
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            let started = state.startedAt ?? now
            state.startedAt = started
            state.progress = progress
            let text = ProgressBar.text(progress, elapsed: started.duration(to: now), bar: isInteractive)
            if isInteractive {
                if let drawn = state.drawnAt, drawn.duration(to: now) < .milliseconds(100) { return nil }
                state.drawnAt = now
                return "\r\u{1B}[K" + text
            }
            let tenth = progress.framesToRender == 0 ? 10 : progress.framesDone * 10 / progress.framesToRender
            guard tenth > state.printedTenth else { return nil }
            state.printedTenth = tenth
            return text + "\n"
        }
        if let line { Terminal.status(line) }
    }

    /// Takes the line away.
    func end() {
        if isInteractive { Terminal.status("\r\u{1B}[K") }
    }

    /// `[######....] 60 %  540/900 frames  45.1 fps  0:08 left`
    static func text(_ progress: LocalExport.Progress, elapsed: Duration, bar: Bool) -> String {
        let total = progress.framesToRender
        guard total > 0 else { return "all \(progress.frameCount) frames are in the cache" }
        let done = min(progress.framesDone, total)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = ["\(done * 100 / total) %", "\(done)/\(total) frames"]
        if done > 0 {
            parts.append("\((rate * 10).rounded() / 10) fps")
            let left = Int((Double(total - done) / max(rate, 0.001)).rounded(.up))
            parts.append("\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left")
        }
        let filled = done * 30 / total
        let drawing = "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] "
        return (bar ? drawing : "") + parts.joined(separator: "  ")
    }
}
