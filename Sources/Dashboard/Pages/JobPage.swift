import ExportPlan
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// One job with all its attempts and what their rendering processes wrote.
package struct JobPage: DashboardPage {
    let viewer: Viewer
    let detail: JobDetail
    let why: WaitReport?
    let notice: Notice?

    package init(viewer: Viewer, detail: JobDetail, why: WaitReport?, notice: Notice? = nil) {
        self.viewer = viewer
        self.detail = detail
        self.why = why
        self.notice = notice
    }

    private var job: Job { detail.job }

    package var title: String { "Job \(job.id)" }
    package var section: Section? { .exports }
    package var refreshSeconds: Int? { job.state.isTerminal ? nil : 5 }

    package var content: HTML {
        """
        \(heading("Job \(job.id): \(job.kind.rawValue) \(job.ordinal)", retry))
        \(when(notice) { $0.html })
        <div class="state-line">\(badge(job.state.rawValue))<a href="\(Address.export(job.export.text))">Its export</a></div>
        \(when(job.state.isTerminal ? nil : why) { WhyList(report: $0, title: "Why it is not done").html })
        \(facts(list))
        \(AttemptLog(detail: detail).section)
        """
    }

    private var retry: HTML {
        guard viewer.maySubmit, job.state == .failed else { return .none }
        return viewer.button("Retry", .job(job.id, "retry"))
    }

    private var list: [(name: String, value: HTML)] {
        var list: [(name: String, value: HTML)] = [
            ("Artifact", "<code>\(job.key.text)</code>"), ("Pool", "\(job.pool)"), ("Priority", "\(job.priority)"),
            ("Attempts", "\(job.attempt)"), ("Planned", ago(job.createdAt, at: viewer.now)),
        ]
        if job.frameCount > 0 { list.append(("Frames", "\(Phrase.count(job.frameCount))")) }
        if let predicted = job.predicted { list.append(("Predicted", "\(Phrase.seconds(predicted)) on one slot")) }
        if let demand = job.demand, demand.memory > 0 {
            list.append(("Needs", "\(Phrase.bytes(demand.memory)), \(Phrase.number(demand.processors)) processors"))
        }
        if let start = job.startedAt, let end = job.finishedAt, !job.reused {
            list.append(("Took", "\(Phrase.seconds(end.timeIntervalSince(start)))"))
        }
        return list
    }
}

/// The attempts at a job in order, with their logs.
struct AttemptLog {
    let detail: JobDetail

    var section: HTML {
        guard !detail.attempts.isEmpty else { return .none }
        return """
            <section aria-labelledby="log-title"><h2 id="log-title">Log of job \(detail.job.id)</h2>
            \(detail.attempts.map(attempt))
            </section>

            """
    }

    private func attempt(_ attempt: JobAttempt) -> HTML {
        let seconds = attempt.startedAt.flatMap { start in attempt.finishedAt.map { $0.timeIntervalSince(start) } }
        let cost = attempt.cost.map { cost in
            [
                ("decode", cost.decode), ("compose", cost.compose), ("encode", cost.encode), ("mix", cost.mix),
                ("stitch", cost.stitch),
            ].filter { $0.1 > 0 }.map { "\($0.0) \(Phrase.seconds($0.1))" }.joined(separator: ", ")
        }
        let memory = attempt.cost?.usage.map { "\(Phrase.bytes($0.memory)) of memory" }
        let notes = [seconds.map { "took \(Phrase.seconds($0))" }, cost, memory].compactMap(\.self).filter { !$0.isEmpty }
        return """
            <article class="attempt"><h3>Attempt \(attempt.number) \(badge(attempt.state.rawValue))</h3>
            <p class="muted">sent \(clock(attempt.dispatchedAt))\(when(attempt.worker) { ", worker \($0)" })\
            \(when(!notes.isEmpty, ", \(notes.joined(separator: ", "))"))</p>
            \(when(attempt.failure) { "<p class=\"bad\"><b>\($0.failureClass.rawValue)</b>: \($0.description)</p>" })
            \(when(!attempt.log.isEmpty, "<pre class=\"log\" tabindex=\"0\" aria-label=\"Log of attempt \(attempt.number)\">\(attempt.log)</pre>"))
            </article>

            """
    }
}
