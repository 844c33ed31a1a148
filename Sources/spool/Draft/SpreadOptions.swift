import ArgumentParser
import CommandLineInterface
import DraftCompiler
import ExactTime
import ExportPlan

/// Options for frames that are evenly spread over a time range of the film.
struct SpreadOptions: ParsableArguments {
    @Option(help: "How many frames, 1...400.")
    var count = 20

    @Option(help: "From this time on: seconds, or num/den. Default: the beginning.")
    var start: Rational?

    @Option(help: "Up to this time: seconds, or num/den. Default: the end.")
    var end: Rational?

    func validate() throws {
        if !(1...400).contains(count) { throw ValidationError("--count must be 1...400, not \(count)") }
        if let start, let end, start >= end { throw ValidationError("--start must come before --end") }
    }

    /// The middle frames of `count` equal parts; fewer when the range has fewer frames.
    /// - Throws: `CommandFailure` when the range has no frames.
    func frames(of prepared: DraftPreparation) throws -> [Int] {
        let composition = prepared.composition
        let first = try start.map { try prepared.frame(at: $0, option: "--start") } ?? 0
        let limit = end.map { composition.frameRate.firstFrame(atOrAfter: MediaTime($0)) } ?? composition.frameCount
        let last = min(limit, composition.frameCount)
        guard last > first else {
            throw CommandFailure("there is no frame before --end; give a time after the beginning", status: ExitStatus.badInput)
        }
        return composition.spreadFrames(count, over: first..<last)
    }
}
