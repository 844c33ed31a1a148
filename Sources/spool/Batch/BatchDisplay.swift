import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary

/// The progress of a batch on standard error: one line on a terminal, otherwise a line for every tenth of its rows.
struct BatchDisplay {
    private let client: FarmClient

    init(_ client: FarmClient) {
        self.client = client
    }

    /// Follows a batch until it has ended.
    func run(_ id: BatchID) async throws -> Batch {
        let isInteractive = Terminal.isInteractive
        var shown: String?
        defer { if isInteractive { Terminal.keepProgress() } }
        return try await client.follow(id) { batch in
            let progress = batch.progress
            if isInteractive {
                let fraction = progress.rows > 0 ? Double(progress.ended) / Double(progress.rows) : 1
                var line = ProgressLine(fraction: fraction, parts: [])
                line.parts.append(.init("\(Int(fraction * 100)) %", importance: 3))
                line.parts.append(.init(BatchDisplay.counts(progress), importance: 2))
                Terminal.show(line)
            } else {
                let tenth = progress.rows > 0 ? progress.ended * 10 / progress.rows : 10
                let text = "\(batch.state.rawValue) \(tenth * 10) %"
                if text != shown { Terminal.error("\(batch.id)  \(text)  \(BatchDisplay.counts(progress))") }
                shown = text
            }
        }
    }

    /// Counts such as `12 of 40 ended, 1 failed, 5 waiting`.
    static func counts(_ progress: BatchProgress) -> String {
        let others = [
            (progress.failed, "failed"), (progress.cancelled, "cancelled"), (progress.waiting, "waiting"),
            (progress.refused, "refused"),
        ]
        return "\(progress.ended) of \(progress.rows) ended"
            + others.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }

    /// - Throws: `CommandFailure` unless all exports completed: 65 if one failed, 75 if one was cancelled.
    static func check(_ batch: Batch) throws {
        guard batch.state != .completed else { return }
        throw CommandFailure(
            "the batch \(batch.id) is \(batch.state.rawValue): \(counts(batch.progress)); see: spool batch results \(batch.id)",
            status: batch.progress.failed > 0 ? ExitStatus.badInput : ExitStatus.temporaryFailure)
    }
}
