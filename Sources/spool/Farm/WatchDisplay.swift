import FarmAPI
import ArgumentParser
import CommandLineInterface
import Coordinator
import DraftModel
import ExportPlan
import FarmClient
import Vocabulary

/// The progress of exports on standard error: one line for all of them on a terminal, otherwise a line for each change.
struct WatchDisplay {
    private let client: FarmClient

    init(_ client: FarmClient) {
        self.client = client
    }

    /// Follows the exports until all have ended, then prints why any of them did not complete.
    func run(_ ids: [ExportID]) async throws -> [Export] {
        let isInteractive = Terminal.isInteractive
        let started = ContinuousClock.now
        var first: Int?
        var states: [ExportID: String] = [:]
        var isShown = false
        // Keep the last state on the screen, however the watching ends.
        defer { if isShown { Terminal.keepProgress() } }
        let ended = try await client.follow(ids) { exports in
            if isInteractive {
                let done = WatchDisplay.framesDone(exports)
                let base = first ?? done
                first = base
                let line = WatchDisplay.line(exports, of: ids.count, newFrames: done - base, since: started)
                Terminal.show(line)
                isShown = true
                return
            }
            for export in exports {
                let text = WatchDisplay.text(export)
                if states.updateValue(text, forKey: export.id) != text { Terminal.error("\(export.id)  \(text)") }
            }
        }
        if isShown { Terminal.keepProgress() }
        isShown = false
        for export in ended {
            if export.state != .completed { WatchDisplay.explanation(export).forEach(Terminal.error) }
            WatchDisplay.warnings(export).forEach(Terminal.error)
        }
        return ended
    }

    /// - Parameter isStrict: whether warnings count as errors.
    /// - Throws: the exit code for the cause, unless all exports completed.
    static func check(_ exports: [Export], isStrict: Bool) throws {
        let statuses = Set(exports.filter { $0.state != .completed }.map(status))
        let order = [ExitStatus.badInput, ExitStatus.internalError, ExitStatus.unavailable, ExitStatus.temporaryFailure]
        if let worst = order.first(where: statuses.contains) { throw ExitCode(worst) }
        if isStrict, exports.contains(where: { !$0.warnings.isEmpty }) {
            throw CommandFailure("--strict takes warnings for errors", status: ExitStatus.badInput)
        }
    }

    /// The warnings for the draft's author, one line each.
    static func warnings(_ export: Export) -> [String] {
        export.warnings.map { "warning: \(export.id) '\(export.label)': " + $0.line.dropFirst("warning: ".count) }
    }

    /// The exit code of an export without a film. A cancelled export may be rerun, so its code is `temporaryFailure`.
    private static func status(_ export: Export) -> Int32 {
        export.failure?.failureClass.exitStatus ?? ExitStatus.temporaryFailure
    }

    /// Why the export has no film; empty when it has one.
    static func explanation(_ export: Export) -> [String] {
        guard let failure = export.failure else {
            return export.state == .cancelled ? ["error: \(export.id) '\(export.label)' was cancelled"] : []
        }
        let job = failure.job.map { " (job \($0))" } ?? ""
        let faults = failure.diagnostics.map { fault in
            "error:   \(fault.placedMessage)"
        }
        return ["error: \(export.id) '\(export.label)' failed: \(failure.message)\(job)"] + faults
    }

    /// What became of sending the film to its destination; empty where the export names none.
    static func publication(_ export: Export) -> [String] {
        guard let publication = export.publication else { return [] }
        let place = "\(export.id) to '\(publication.destination)'"
        switch publication.state {
        case .published: return publication.files.map { "\(place): \($0.address)" }
        case .pending:
            return ["\(place): pending" + (publication.message.map { "; attempt \(publication.attempts): \($0)" } ?? "")]
        case .failed: return ["\(place): failed: \(publication.message ?? "")"]
        }
    }

    // MARK: Lines

    private static func framesDone(_ exports: [Export]) -> Int {
        exports.reduce(0) { $0 + $1.progress.framesDone }
    }

    /// The state such as `rendering 40 %`, in steps of ten percent, so that a log does not fill with it.
    private static func text(_ export: Export) -> String {
        guard export.state == .rendering, let total = export.frameCount, total > 0 else {
            return "\(export.state.rawValue) '\(export.label)'"
        }
        return "rendering \(min(export.progress.framesDone, total) * 10 / total * 10) % '\(export.label)'"
    }

    /// The progress line: `[######....] 60 %  540/900 frames  45.1 fps  2 of 5 done, 1 failed`
    static func line(
        _ exports: [Export], of count: Int, newFrames: Int, since started: ContinuousClock.Instant
    ) -> ProgressLine {
        let total = exports.reduce(0) { $0 + ($1.frameCount ?? 0) }
        let done = min(total, exports.reduce(0) { $0 + ($1.state == .completed ? $1.frameCount ?? 0 : $1.progress.framesDone) })
        let ended = exports.count { $0.state.isTerminal }
        let failed = exports.count { $0.state == .failed || $0.state == .cancelled }
        var line = ProgressLine(fraction: nil, parts: [])
        if total > 0 {
            line.fraction = Double(done) / Double(total)
            line.parts.append(.init("\(done * 100 / total) %", importance: 3))
            line.parts.append(.init("\(done)/\(total) frames", importance: 2))
            let elapsed = started.duration(to: .now) / .seconds(1)
            if newFrames > 0, elapsed > 0 {
                line.parts.append(.init("\((Double(newFrames) / elapsed * 10).rounded() / 10) fps", importance: 1))
            }
        }
        if count == 1, let only = exports.first {
            line.parts.append(.init(only.state.rawValue, importance: 4))
        } else {
            line.parts.append(
                .init("\(ended) of \(count) ended" + (failed > 0 ? ", \(failed) without a film" : ""), importance: 4))
        }
        return line
    }
}
