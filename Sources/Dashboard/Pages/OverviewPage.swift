package import FarmAPI
import Vocabulary
import FoundationEssentials

/// The first page: whether the farm works, how much each role has to do, and the newest exports.
package struct OverviewPage: DashboardPage {
    let viewer: Viewer
    let queues: [QueueStatus]
    /// What ended in the last hour; empty where the database does not answer in time.
    let history: [QueueHistory]
    /// nil where the queue cannot be reached.
    let workers: [WorkerReport]?
    let readiness: Readiness
    let newest: [Export]
    /// The names of tenants by their numbers, as far as they are known.
    let tenants: [Int64: String]
    let notice: Notice?

    package init(
        viewer: Viewer, queues: [QueueStatus], history: [QueueHistory], workers: [WorkerReport]?, readiness: Readiness,
        newest: [Export], tenants: [Int64: String] = [:], notice: Notice? = nil
    ) {
        self.viewer = viewer
        self.queues = queues
        self.history = history
        self.workers = workers
        self.readiness = readiness
        self.newest = newest
        self.tenants = tenants
        self.notice = notice
    }

    package var title: String { "Overview" }
    package var section: Section? { .overview }
    package var refreshSeconds: Int? { 5 }

    package var content: HTML {
        """
        \(heading("Overview"))
        \(when(notice) { $0.html })
        \(health)
        <section aria-labelledby="queues-title"><h2 id="queues-title">Queues</h2>
        <div class="cards">
        \(queues.map(card))
        </div></section>
        <section aria-labelledby="newest-title">
        <div class="heading"><h2 id="newest-title">Newest exports</h2><a href="\(Address.exports)">All exports</a></div>
        \(ExportTable(viewer: viewer, exports: newest, tenants: tenants, isSelectable: false).html)
        </section>
        """
    }

    /// What the farm lacks; one line where it lacks nothing.
    private var health: HTML {
        let missing = readiness.missing.map { "<li class=\"bad\">\($0)</li>" as HTML }
        let warnings = readiness.warnings.map { "<li>\($0)</li>" as HTML }
        guard !missing.isEmpty || !warnings.isEmpty else {
            return
                "<p class=\"health good\">The database, the queue and the store answer, and a coordinator leads.</p>\n"
        }
        return "<ul class=\"health\" aria-label=\"What the farm lacks\">\(missing)\(warnings)</ul>\n"
    }

    private func card(_ queue: QueueStatus) -> HTML {
        let name = queue.role.rawValue
        let numbers: [(String, HTML)] = [
            ("Waiting", "\(Phrase.count(queue.waiting))"), ("Ready", "\(Phrase.count(queue.ready))"),
            ("Sent", "\(Phrase.count(queue.dispatched))"), ("Running", "\(Phrase.count(queue.running))"),
            ("Rate", "\(Phrase.count(queue.finishedLastMinute)) / min"),
            (
                "Errors",
                "<span class=\"\(queue.errorsLastHour > 0 ? "bad" : "")\">\(Phrase.count(queue.errorsLastHour)) / h</span>"
            ),
            ("Slots", slots(queue.role)),
            ("Mean wait", "\(queue.waitingTime.map(Phrase.seconds) ?? "–")"),
            ("Oldest", when(queue.oldestReadySince) { ago($0, at: viewer.now) }.orDash),
        ]
        return """
            <article class="card queue" aria-labelledby="queue-\(name)">
            <div class="heading"><h3 id="queue-\(name)">\(name)</h3>\(when(queue.isPaused, "<span class=\"badge paused\">paused</span>"))\
            \(when(viewer.isOperator, pause(queue)))</div>
            <p class="figure"><span class="amount">\(queue.backlog.map(Phrase.seconds) ?? "–")</span> of predicted work</p>
            \(facts(numbers))
            \(when(history.first { $0.role == queue.role }) { QueuePlot(history: $0).html })
            \(when(!queue.poolsWithoutWorkers.isEmpty, withoutWorkers(queue)))
            </article>

            """
    }

    private func withoutWorkers(_ queue: QueueStatus) -> HTML {
        "<p class=\"bad\">No worker takes jobs of: \(queue.poolsWithoutWorkers.joined(separator: ", "))</p>"
    }

    private func pause(_ queue: QueueStatus) -> HTML {
        let role = queue.role.rawValue
        return queue.isPaused
            ? viewer.button("Resume", Address("ui", "queues", role, "resume"), subject: "the queue \(role)")
            : viewer.button("Pause", Address("ui", "queues", role, "pause"), subject: "the queue \(role)")
    }

    /// The slots of the workers that take jobs of a role. A worker of several roles has the same slots for all of them.
    private func slots(_ role: WorkerRole) -> HTML {
        guard let workers else { return "<span class=\"bad\">unknown</span>" }
        let serving = workers.filter { $0.roles.contains(role) && !$0.isDraining && $0.pausedFor == nil }
        let (busy, all) = serving.reduce((0, 0)) { ($0.0 + min($1.busy, $1.slots), $0.1 + $1.slots) }
        guard all > 0 else { return "<span class=\"bad\">none</span>" }
        return """
            <span class="slots">\(Phrase.count(busy)) of \(Phrase.count(all))\
            <meter min="0" max="\(all)" value="\(busy)" aria-label="Busy slots of \(role.rawValue)"></meter></span>
            """
    }
}

extension HTML {
    /// A dash where there is nothing.
    var orDash: HTML { isEmpty ? "–" : self }
}
