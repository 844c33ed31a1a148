import ExportPlan
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// The workers with a recent heartbeat: how busy each is and with what, what it has, and what it lacks.
package struct WorkersPage: DashboardPage {
    let viewer: Viewer
    let workers: [WorkerReport]
    let cursor: String?
    let next: String?
    let notice: Notice?

    package init(viewer: Viewer, workers: [WorkerReport], cursor: String?, next: String?, notice: Notice? = nil) {
        self.viewer = viewer
        self.workers = workers
        self.cursor = cursor
        self.next = next
        self.notice = notice
    }

    package var title: String { "Workers" }
    package var section: Section? { .workers }
    package var refreshSeconds: Int? { 3 }

    package var content: HTML {
        """
        \(heading("Workers"))
        \(when(notice) { $0.html })
        \(workers.isEmpty ? "<p class=\"empty\">No worker has sent a heartbeat recently.</p>" : summary)
        <div class="cards workers">\(workers.map(card))</div>
        \(pager(first: cursor == nil ? nil : .workers, next: next.map { Address("ui", "workers", query: [("cursor", $0)]) }))
        """
    }

    private var summary: HTML {
        let busy = workers.reduce(0) { $0 + min($1.busy, $1.slots) }
        let slots = workers.reduce(0) { $0 + $1.slots }
        return
            "<p>\(Phrase.count(workers.count, "worker")) on this page, \(Phrase.count(busy)) of \(Phrase.count(slots, "slot")) busy.</p>"
    }

    private func card(_ worker: WorkerReport) -> HTML {
        let title = "worker-\(identifier(worker.id))"
        return """
            <article class="card" aria-labelledby="\(title)">
            <div class="heading"><h2 id="\(title)">\(worker.id)</h2>\(state(worker))\(when(viewer.isOperator, action(worker)))</div>
            <p class="figure"><span class="amount">\(worker.busy)</span> of \(Phrase.count(worker.slots, "slot")) busy\
            \(when(worker.waiting ?? 0 > 0, ", \(worker.waiting ?? 0) waiting here"))
            <meter min="0" max="\(max(1, worker.slots))" value="\(min(worker.busy, worker.slots))" aria-label="Busy slots of \(worker.id)"></meter></p>
            \(facts(list(worker)))
            \(when(worker.pausedFor) { "<p class=\"bad\">It takes no jobs: \($0)</p>" })
            \(when(worker.missingLayers ?? [:]) { layers($0) })
            \(lacks(worker.lacks ?? []))
            \(running(worker))
            </article>

            """
    }

    private func state(_ worker: WorkerReport) -> HTML {
        if worker.isDraining { return "<span class=\"badge paused\">draining</span>" }
        return when(worker.pausedFor != nil, "<span class=\"badge paused\">takes no jobs</span>")
    }

    private func action(_ worker: WorkerReport) -> HTML {
        worker.isDraining
            ? viewer.button("Resume", Address("ui", "workers", worker.id, "resume"), subject: worker.id)
            : viewer.button(
                "Drain", Address("ui", "workers", worker.id, "drain"), subject: worker.id,
                confirmation: "Let worker \(worker.id) end its jobs and leave?")
    }

    private func list(_ worker: WorkerReport) -> [(name: String, value: HTML)] {
        // What its jobs were predicted to need; the rest of the worker's memory is free for others.
        let used = worker.running.compactMap(\.memory).reduce(0, +)
        var list: [(name: String, value: HTML)] = [
            ("Roles", "\(worker.roles.map(\.rawValue).joined(separator: ", "))"),
            ("Pools", "\(worker.pools.joined(separator: ", "))"), ("Host", "\(worker.host)"), ("Version", "\(worker.version)"),
            ("Heartbeat", ago(worker.seenAt, at: viewer.now)), ("Started", ago(worker.startedAt, at: viewer.now)),
        ]
        if let memory = worker.memory {
            list.append(("Memory", "\(Phrase.bytes(used)) predicted of \(Phrase.bytes(memory))"))
        }
        if let processors = worker.processors { list.append(("Processors", "\(Phrase.number(processors))")) }
        if let load = worker.load { list.append(("Load of its machine", "\(Phrase.number(load))")) }
        if let machine = worker.machine { list.append(("Machine", "\(machine)")) }
        return list
    }

    private func layers(_ missing: [String: String]) -> HTML {
        guard !missing.isEmpty else { return .none }
        let items = missing.sorted { $0.key < $1.key }.map { "<li><code>\($0.key)</code> \($0.value)</li>" as HTML }
        return
            "<details><summary>\(Phrase.count(missing.count, "layer")) of the sandbox missing</summary><ul>\(items)</ul></details>"
    }

    private func lacks(_ names: [String]) -> HTML {
        guard !names.isEmpty else { return .none }
        return "<details><summary>Lacks what jobs needed</summary><ul>\(names.map { "<li>\($0)</li>" as HTML })</ul></details>"
    }

    private func running(_ worker: WorkerReport) -> HTML {
        let rows = worker.running.map { job -> HTML in
            """
            <tr><td class="nowrap"><a href="\(Address.job(job.job))">\(job.kind.rawValue) \(job.job)</a>\
            \(when(job.attempt > 1, " <span class=\"muted\">attempt \(job.attempt)</span>"))</td>\
            <td>\(progressBar(job.done, of: job.total, label: "Progress of job \(job.job)"))</td>\
            <td class="number">\(job.total > 0 ? "\(Phrase.number((job.rate * 10).rounded() / 10)) fps" : "–")</td>\
            <td class="nowrap">\(ago(job.startedAt, at: viewer.now))</td></tr>

            """
        }
        guard !rows.isEmpty else { return .none }
        return table(
            "Jobs of \(worker.id)", id: "running-\(identifier(worker.id))", ["Job", "Progress", "#Rate", "Began"], rows, empty: ""
        )
    }
}
