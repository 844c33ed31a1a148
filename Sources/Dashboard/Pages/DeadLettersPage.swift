import ExportPlan
package import FarmAPI
import FoundationEssentials

/// The jobs whose rendering processes crashed until the farm stopped trying.
package struct DeadLettersPage: DashboardPage {
    let viewer: Viewer
    let letters: [DeadLetter]
    let cursor: String?
    let next: String?
    let notice: Notice?

    package init(viewer: Viewer, letters: [DeadLetter], cursor: String?, next: String?, notice: Notice? = nil) {
        self.viewer = viewer
        self.letters = letters
        self.cursor = cursor
        self.next = next
        self.notice = notice
    }

    package var title: String { "Dead letters" }
    package var section: Section? { .deadLetters }
    package var refreshSeconds: Int? { 10 }

    package var content: HTML {
        let rows = letters.map { letter -> HTML in
            """
            <tr id="letter-\(letter.job)"><td class="nowrap"><a href="\(Address.job(letter.job))">\(letter.kind.rawValue) \(letter.ordinal)</a></td>\
            <td><a href="\(Address.export(letter.export.text))"><code>\(String(letter.export.text.prefix(13)))…</code>\
            <span class="hidden-text"> its export</span></a></td>\
            \(when(viewer.isOperator, "<td>\(letter.tenant)</td>"))\
            <td class="number">\(letter.attempts)</td><td>\(letter.workers.joined(separator: ", "))</td>\
            <td class="wide">\(letter.failure.description)</td><td class="nowrap">\(ago(letter.diedAt, at: viewer.now))</td>\
            \(when(viewer.maySubmit, "<td class=\"nowrap\">\(actions(letter))</td>"))</tr>

            """
        }
        var columns = ["Job", "Export", "#Attempts", "Workers", "Failure", "Died"]
        if viewer.isOperator { columns.insert("Tenant", at: 2) }
        if viewer.maySubmit { columns.append("Actions") }
        return """
            \(heading("Dead letters"))
            \(when(notice) { $0.html })
            <p class="muted">Jobs whose rendering processes crashed until the farm stopped trying. The page of a job has the log of each attempt.</p>
            \(table("Dead letters", id: "letters", columns, rows, empty: "There is no dead letter."))
            \(pager(first: cursor == nil ? nil : .deadLetters, next: next.map { Address("ui", "dead-letters", query: [("cursor", $0)]) }))
            """
    }

    private func actions(_ letter: DeadLetter) -> HTML {
        let job = "\(letter.job)"
        return """
            \(viewer.button("Retry", Address("ui", "dead-letters", job, "retry"), subject: "job \(job)"))\
            \(viewer.button("Discard", Address("ui", "dead-letters", job, "discard"), subject: "job \(job)", isDangerous: true, confirmation: "Take job \(job) off the list? It stays failed."))
            """
    }
}
