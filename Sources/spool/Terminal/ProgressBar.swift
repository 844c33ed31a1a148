import CommandLineInterface
import RenderingProcesses
import Synchronization
import Vocabulary

/// An export's progress on standard error: one line that is redrawn on a terminal, otherwise one line for each tenth.
final class ProgressBar: Sendable {
    private struct State {
        var progress = LocalExport.Progress()
        var startedAt: ContinuousClock.Instant?
        var drawnAt: ContinuousClock.Instant?
        var printedTenth = -1
    }

    private let isInteractive = Terminal.isInteractive
    private let state = Mutex(State())

    /// The progress that was shown last.
    var last: LocalExport.Progress { state.withLock { $0.progress } }

    func show(_ progress: LocalExport.Progress) {
        let now = ContinuousClock.now
        let line: ProgressLine? = state.withLock { state in
            let started = state.startedAt ?? now
            state.startedAt = started
            state.progress = progress
            if isInteractive {
                if let drawn = state.drawnAt, drawn.duration(to: now) < .milliseconds(100) { return nil }
                state.drawnAt = now
            } else {
                let tenth = progress.framesToRender == 0 ? 10 : progress.framesDone * 10 / progress.framesToRender
                guard tenth > state.printedTenth else { return nil }
                state.printedTenth = tenth
            }
            return ProgressBar.line(progress, elapsed: started.duration(to: now))
        }
        guard let line else { return }
        if isInteractive { Terminal.show(line) } else { Terminal.error(line.parts.map(\.text).joined(separator: "  ")) }
    }

    /// Removes the line.
    func end() {
        if isInteractive { Terminal.clearProgress() }
    }

    /// The progress line: `[######....] 60 %  540/900 frames  45.1 fps  0:08 left`
    static func line(_ progress: LocalExport.Progress, elapsed: Duration) -> ProgressLine {
        let total = progress.framesToRender
        guard total > 0 else {
            return ProgressLine(
                fraction: nil, parts: [.init("all \(progress.frameCount) frames are in the cache", importance: 0)])
        }
        let done = min(progress.framesDone, total)
        let rate = elapsed > .zero ? Double(done) / (elapsed / .seconds(1)) : 0
        var line = ProgressLine(
            fraction: Double(done) / Double(total),
            parts: [.init("\(done * 100 / total) %", importance: 4), .init("\(done)/\(total) frames", importance: 2)])
        if done > 0 {
            let left = Int((Double(total - done) / max(rate, 0.001)).rounded(.up))
            line.parts.append(.init("\((rate * 10).rounded() / 10) fps", importance: 1))
            line.parts.append(.init("\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left", importance: 3))
        }
        return line
    }
}
