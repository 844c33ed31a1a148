import ExportPlan
import DraftModel
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// One export: what it is, why it waits, its segments, its film, its jobs, its log and its events.
package struct ExportPage: DashboardPage {
    let viewer: Viewer
    let export: Export
    /// The jobs of the plan, the first ones.
    let jobs: [Job]
    /// Whether there are more jobs than these.
    let hasMoreJobs: Bool
    /// The reasons why it is not done; nil for an export that is over, and where nobody knows.
    let why: WaitReport?
    /// The newest events, in order.
    let events: [ExportEvent]
    /// The job that failed, with its attempts.
    let failedJob: JobDetail?
    let notice: Notice?

    package init(
        viewer: Viewer, export: Export, jobs: [Job], hasMoreJobs: Bool = false, why: WaitReport?, events: [ExportEvent],
        failedJob: JobDetail? = nil, notice: Notice? = nil
    ) {
        self.viewer = viewer
        self.export = export
        self.jobs = jobs
        self.hasMoreJobs = hasMoreJobs
        self.why = why
        self.events = events
        self.failedJob = failedJob
        self.notice = notice
    }

    package var title: String { export.label }
    package var section: Section? { .exports }
    /// The events of an export say when something has changed; this is for what has no event, such as a worker's progress.
    package var refreshSeconds: Int? { export.state.isTerminal ? nil : 5 }

    package var content: HTML {
        """
        \(heading(export.label, actions))
        \(when(notice) { $0.html })
        <div class="state-line" data-follow="\(follow)"\(when(export.state.isTerminal, " data-over"))>\(badge(export.state.rawValue))\
        \(export.progressBar)\
        <span class="muted">\(Phrase.count(export.progress.jobsDone)) of \(Phrase.count(export.progress.jobs, "job")) done\
        \(when(export.progress.jobsReused > 0, ", \(Phrase.count(export.progress.jobsReused)) reused"))</span></div>
        \(failure)
        \(reasons)
        \(film)
        \(ExportStrip(jobs).html)
        \(Thumbnails(export: export).html)
        \(details)
        \(JobTable(viewer: viewer, jobs: jobs, hasMore: hasMoreJobs).html)
        \(when(failedJob) { AttemptLog(detail: $0).section })
        \(EventList(viewer: viewer, events: events).html)
        """
    }

    /// The address of the export's events behind those that the page has.
    private var follow: Address {
        Address("ui", "exports", export.id.text, "events", query: [("after", events.last.map { "\($0.id)" })])
    }

    private func address(_ action: String) -> Address { .export(export.id.text, action) }

    // MARK: Actions

    private var actions: HTML {
        guard viewer.maySubmit else { return .none }
        let isOver = export.state.isTerminal
        return """
            \(when(!isOver || export.state == .failed, priority))\
            \(when(!isOver, viewer.button("Cancel", address("cancel"), isDangerous: true, confirmation: "Cancel this export?")))\
            \(when(export.state == .failed, viewer.button("Retry failed jobs", address("retry"))))\
            \(when(isOver, viewer.button("Rerun", address("rerun"))))\
            \(when(export.publication != nil && export.state == .completed, viewer.button("Publish again", address("publish"))))\
            \(when(isOver, viewer.button("Remove", address("remove"), isDangerous: true, confirmation: "Remove this export with its jobs and events?")))
            """
    }

    private var priority: HTML {
        viewer.form(
            address("priority"),
            """
            <label for="priority">Priority</label>\
            <input type="number" id="priority" name="priority" min="-100" max="100" step="1" value="\(export.priority)" required>\
            <button type="submit">Set</button>
            """)
    }

    // MARK: Why

    private var failure: HTML {
        when(export.failure) { failure in
            """
            <section class="fault" aria-label="Why it failed"><p><b>\(failure.failureClass.rawValue)</b>: \(failure.message)\
            \(when(failure.job) { " <a href=\"\(Address.job($0))\">Job \($0)</a>" })</p>
            \(diagnostics(failure.diagnostics.map { ($0.path, $0.message) }))</section>
            """
        }
    }

    private func diagnostics(_ list: [(path: String, message: String)]) -> HTML {
        guard !list.isEmpty else { return .none }
        return
            "<ul class=\"diagnostics\">\(list.prefix(50).map { "<li><code>\($0.path)</code> \($0.message)</li>" as HTML })</ul>"
    }

    private var reasons: HTML {
        guard let why, !export.state.isTerminal else { return .none }
        return WhyList(report: why, title: "Why it is not done").html
    }

    // MARK: Film

    private var film: HTML {
        guard export.filmKey != nil, export.state != .failed, export.state != .cancelled else { return .none }
        guard export.filmRemovedAt == nil else {
            return "<p class=\"muted\">The film was removed. Rerun the export to have it again.</p>\n"
        }
        let id = export.id.text
        guard export.state == .completed else {
            return """
                <section class="film" id="film" aria-labelledby="film-title" data-player="\(Address.export(id, "stream"))/">
                <h2 id="film-title">Film</h2>
                <div data-keep id="player"><button type="button" class="primary" id="watch" hidden>Watch while it renders</button></div>
                <p class="muted">It can be watched as soon as its first segment and its sound are rendered. Without JavaScript, \
                open <a href="\(Address.export(id, "stream", "main.m3u8"))">the stream</a> in a player.</p>
                </section>

                """
        }
        let poster = export.pictures?.poster.map { _ in Address.export(id, "pictures", "poster.jpg") }
        return """
            <section class="film" id="film" aria-labelledby="film-title">
            <h2 id="film-title">Film</h2>
            <div data-keep id="player"><video controls preload="none"\(when(poster) { " poster=\"\($0)\"" }) aria-label="The film" \
            src="\(Address.export(id, "film"))"></video></div>
            <p><a href="\(Address.export(id, "film"))" download>Download the film</a></p>
            </section>

            """
    }

    // MARK: Details

    private var details: HTML {
        var list: [(name: String, value: HTML)] = [
            ("Id", "<code>\(export.id.text)</code>"), ("Number", "\(Phrase.count(Int(clamping: export.number)))"),
            ("Priority", "\(export.priority)"), ("Pool", "\(export.pool)"),
            ("Accepted", ago(export.createdAt, at: viewer.now)),
        ]
        if viewer.isOperator { list.insert(("Tenant", "\(export.tenant)"), at: 2) }
        if let end = export.finishedAt {
            list.append(("Ended", ago(end, at: viewer.now)))
            list.append(("Took", "\(Phrase.seconds(end.timeIntervalSince(export.createdAt)))"))
        }
        if let frames = export.frameCount {
            list.append(("Frames", "\(Phrase.count(export.progress.framesDone)) of \(Phrase.count(frames))"))
        }
        if let batch = export.batch {
            list.append(("Batch", "<a href=\"\(Address.batch(batch.id.text))\">row \(batch.row)</a>"))
        }
        if let tags = export.tags { list.append(("Tags", tags.sorted { $0.key < $1.key }.map { tag($0.key, $0.value) }.joined)) }
        if let publication = export.publication {
            list.append(
                (
                    "Destination",
                    "\(publication.destination): \(publication.state.rawValue)\(when(publication.message) { ", \($0)" })"
                ))
        }
        // Metadata that were accepted are JSON.
        let metadata = export.metadata.flatMap { try? FarmJSON.encode($0, indented: true) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        return """
            <section aria-labelledby="details-title"><h2 id="details-title">Details</h2>
            \(facts(list))
            \(when(metadata) { "<details><summary>Metadata</summary><pre tabindex=\"0\">\($0)</pre></details>" })
            \(when(!export.warnings.isEmpty, "<h3>Warnings</h3>"))\(diagnostics(export.warnings.map { ($0.path, $0.message) }))
            </section>

            """
    }
}

/// The rules that hold an export or a job.
struct WhyList {
    let report: WaitReport
    let title: String

    var html: HTML {
        let reasons = report.reasons.map { reason -> HTML in
            """
            <li><b class="rule">\(reason.rule.rawValue)</b> \(reason.message)\
            \(when(reason.jobs) { jobs in " <span class=\"links\">\(jobs.prefix(5).map { "<a href=\"\(Address.job($0))\">job \($0)</a> " as HTML })</span>" })\
            \(when(reason.exports) { exports in " <span class=\"links\">\(exports.prefix(3).map { "<a href=\"\(Address.export($0.text))\">\($0.text)</a> " as HTML })</span>" })</li>

            """
        }
        return """
            <section class="why" aria-labelledby="why-title"><h2 id="why-title">\(title)</h2>
            <ol>\(reasons)</ol></section>

            """
    }
}

/// The jobs of an export.
struct JobTable {
    let viewer: Viewer
    let jobs: [Job]
    let hasMore: Bool

    var html: HTML {
        let rows = jobs.map { job -> HTML in
            """
            <tr id="job-\(job.id)"><td>\(badge(job.state.rawValue))\(when(job.reused, " <span class=\"muted\">reused</span>"))</td>\
            <td class="nowrap"><a href="\(Address.job(job.id))">\(job.kind.rawValue) \(job.ordinal)</a></td>\
            <td class="number">\(job.attempt)</td><td>\(job.worker ?? "–")</td>\
            <td class="number">\(job.frameCount > 0 ? Phrase.count(job.frameCount) : "–")</td>\
            <td class="number">\(job.predicted.map(Phrase.seconds) ?? "–")</td><td class="number">\(took(job))</td></tr>

            """
        }
        let list = table(
            "Jobs of the export", id: "jobs", ["State", "Job", "#Attempt", "Worker", "#Frames", "#Predicted", "#Took"], rows,
            empty: "It has no jobs yet.")
        return """
            <section aria-labelledby="jobs-title"><h2 id="jobs-title">Jobs</h2>
            \(jobs.count > 40 ? "<details><summary>\(Phrase.count(jobs.count, "job"))</summary>\(list)</details>" : list)
            \(when(hasMore, "<p class=\"muted\">These are the first \(Phrase.count(jobs.count)) jobs; <code>spool job ls</code> lists all.</p>"))
            </section>

            """
    }

    private func took(_ job: Job) -> String {
        guard let start = job.startedAt, !job.reused else { return "–" }
        if let end = job.finishedAt { return Phrase.seconds(end.timeIntervalSince(start)) }
        return job.state == .running ? "for \(Phrase.seconds(viewer.now.timeIntervalSince(start)))" : "–"
    }
}

/// The events of an export, the newest first.
struct EventList {
    let viewer: Viewer
    let events: [ExportEvent]

    var html: HTML {
        let items = events.reversed().map { event -> HTML in
            """
            <li id="event-\(event.id)"><span class="at">\(clock(event.at))</span> <b>\(event.kind.rawValue)</b> \(event.message)\
            \(when(event.job) { " <a href=\"\(Address.job($0))\">job \($0)</a>" })</li>

            """
        }
        return """
            <section aria-labelledby="events-title"><h2 id="events-title">Events</h2>
            \(when(items.isEmpty, "<p class=\"empty\">Nothing happened yet.</p>"))\
            \(when(!items.isEmpty, "<ol class=\"events\" reversed>\(items)</ol>"))
            </section>

            """
    }
}
