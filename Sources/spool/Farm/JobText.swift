import CommandLineInterface
import ExportPlan
import FarmAPI
import Vocabulary
import FoundationEssentials

/// A job as text for people.
enum JobText {
    /// Prints a job with all its attempts.
    static func print(_ detail: JobDetail) {
        let job = detail.job
        Terminal.print("job \(job.id): \(job.kind.rawValue) \(job.ordinal) of export \(job.export)")
        Terminal.print("state     \(job.state.rawValue)\(job.reused ? ", its artifact was there already" : "")")
        Terminal.print("artifact  \(job.key)")
        Terminal.print("pool      \(job.pool), priority \(job.priority)")
        if job.frameCount > 0 { Terminal.print("frames    \(job.frameCount)") }
        if let time = job.timePhrase { Terminal.print("time      \(time)") }
        if let demand = job.demand?.phrase { Terminal.print("predicted \(demand)") }
        if !job.state.isTerminal, detail.attempts.contains(where: { $0.failure?.failureClass == .resource }) {
            Terminal.print("slots     all of its worker's, because an attempt ran out of a resource")
        }
        guard !detail.attempts.isEmpty else { return }
        let rows = detail.attempts.map { attempt in
            let seconds = attempt.startedAt.flatMap { start in attempt.finishedAt.map { $0.timeIntervalSince(start) } }
            let rate = seconds.flatMap { $0 > 0 && job.frameCount > 0 ? Double(job.frameCount) / $0 : nil }
            let reason = attempt.failure.map { "\($0.failureClass.rawValue): \($0)" }
            return [
                "\(attempt.number)", attempt.state.rawValue, attempt.worker ?? "-", seconds.map(Phrase.seconds) ?? "-",
                attempt.state == .succeeded ? rate.map { "\(($0 * 10).rounded() / 10) fps" } ?? "-" : "-",
                attempt.cost?.usage.map { Phrase.bytes($0.memory) } ?? "-",
                attempt.processors(seconds: seconds).map { Phrase.number($0) } ?? "-", reason ?? "",
            ]
        }
        Terminal.print(
            lines: TextTable(["TRY", "STATE", "WORKER", "TOOK", "RATE", "MEMORY", "CPU", "REASON"], rows).lines)
    }

    struct Line: Encodable {
        var at: Date
        var text: String
    }

    /// The events of a job in order.
    static func log(of detail: JobDetail) -> [Line] {
        var lines = [Line(at: detail.job.createdAt, text: "planned as \(detail.job.kind.rawValue) \(detail.job.ordinal)")]
        for attempt in detail.attempts {
            let which = "try \(attempt.number)"
            let worker = attempt.worker.map { " on '\($0)'" } ?? ""
            lines.append(Line(at: attempt.dispatchedAt, text: "\(which) dispatched"))
            if let at = attempt.startedAt { lines.append(Line(at: at, text: "\(which) began\(worker)")) }
            if let at = attempt.finishedAt {
                let reason = attempt.failure.map { ": \($0.failureClass.rawValue): \($0)" } ?? ""
                lines.append(Line(at: at, text: "\(which) \(attempt.state.rawValue)\(worker)\(reason)"))
                if let cost = attempt.cost?.phrase { lines.append(Line(at: at, text: "  " + cost)) }
                lines += attempt.log.split(separator: "\n").map { Line(at: at, text: "  | \($0)") }
            }
        }
        if let at = detail.job.finishedAt { lines.append(Line(at: at, text: "the job is \(detail.job.state.rawValue)")) }
        return lines
    }
}

extension Job {
    /// The predicted time, and that which the job took where it was rendered; nil where neither is known.
    fileprivate var timePhrase: String? {
        var parts = predicted.map { ["\(Phrase.seconds($0)) predicted"] } ?? []
        if state == .done, !reused, let startedAt, let finishedAt {
            parts.append("took \(Phrase.seconds(finishedAt.timeIntervalSince(startedAt)))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension JobDemand {
    /// The demand as text, such as `319.0 MB of memory, 1 processor`; nil where nothing is known.
    fileprivate var phrase: String? {
        guard memory > 0 else { return nil }
        return "\(Phrase.bytes(memory)) of memory, \(Phrase.number(processors)) processor\(processors == 1 ? "" : "s")"
    }
}

extension JobAttempt {
    /// How many processors the rendering process kept busy on average; nil where nobody measured it.
    fileprivate func processors(seconds: Double?) -> Double? {
        guard let usage = cost?.usage, let seconds, seconds > 0 else { return nil }
        return usage.processorTime / seconds
    }
}

extension JobCost {
    /// The costs as text, such as `decode 0.1 s, encode 2.3 s`; nil when nothing was measured.
    fileprivate var phrase: String? {
        let parts = [("decode", decode), ("compose", compose), ("encode", encode), ("mix", mix), ("stitch", stitch)]
        let measured = parts.filter { $0.1 > 0 }.map { "\($0.0) \(Phrase.seconds($0.1))" }
        return measured.isEmpty ? nil : measured.joined(separator: ", ")
    }
}
