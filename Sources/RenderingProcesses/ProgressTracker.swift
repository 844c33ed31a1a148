import Synchronization

/// Sums up the progress of all rendering processes.
final class ProgressTracker: Sendable {
    private struct State {
        var progress: LocalExport.Progress
        var running: [Int: Int] = [:]
        var finished = 0
    }

    private let frames: [Int: Int]
    private let report: @Sendable (LocalExport.Progress) -> Void
    private let state: Mutex<State>

    init(_ work: LocalExport.Work, frameCount: Int, _ report: @escaping @Sendable (LocalExport.Progress) -> Void) {
        frames = work.frames
        self.report = report
        var progress = LocalExport.Progress()
        progress.frameCount = frameCount
        progress.framesToRender = work.frames.values.reduce(0, +)
        progress.segmentsReused = work.reused
        progress.segmentsToRender = work.segments
        state = Mutex(State(progress: progress))
        report(progress)
    }

    func heard(_ event: ChildPool.Event) {
        let progress = state.withLock { state in
            switch event {
            case .progress(let job, let done):
                guard let count = frames[job] else { return state.progress }
                // A segment that missed its bitrate is encoded again, so `done` may exceed `count`.
                state.running[job] = min(done, count)
            case .finished(let job, _):
                state.running[job] = nil
                state.finished += frames[job] ?? 0
            }
            state.progress.framesDone = state.finished + state.running.values.reduce(0, +)
            return state.progress
        }
        report(progress)
    }
}
