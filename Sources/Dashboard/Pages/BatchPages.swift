import DraftModel
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// The batches.
package struct BatchesPage: DashboardPage {
    let viewer: Viewer
    let batches: [Batch]
    let state: BatchState?
    let cursor: String?
    let next: String?

    package init(viewer: Viewer, batches: [Batch], state: BatchState?, cursor: String?, next: String?) {
        self.viewer = viewer
        self.batches = batches
        self.state = state
        self.cursor = cursor
        self.next = next
    }

    package var title: String { "Batches" }
    package var section: Section? { .batches }
    package var refreshSeconds: Int? { 5 }

    package var content: HTML {
        let rows = batches.map { batch -> HTML in
            """
            <tr><td>\(badge(batch.state.rawValue))</td><td class="wide"><a href="\(Address.batch(batch.id.text))">\(batch.label)</a></td>\
            \(when(viewer.isOperator, "<td>\(batch.tenant)</td>"))\
            <td>\(progressBar(batch.progress.ended, of: batch.progress.rows, label: "Progress of \(batch.label)"))</td>\
            <td class="number">\(Phrase.count(batch.progress.rows))</td><td class="number">\(Phrase.count(batch.progress.failed))</td>\
            <td class="nowrap">\(ago(batch.createdAt, at: viewer.now))</td></tr>

            """
        }
        var columns = ["State", "Batch", "Ended", "#Rows", "#Failed", "Accepted"]
        if viewer.isOperator { columns.insert("Tenant", at: 2) }
        return """
            \(heading("Batches"))
            <form method="get" action="\(Address.batches)" class="filter"><div class="field"><label for="state">State</label>\
            <select id="state" name="state"><option value=""\(when(state == nil, " selected"))>any</option>\
            \(BatchState.allCases.map { "<option value=\"\($0.rawValue)\"\(when(state == $0, " selected"))>\($0.rawValue)</option>" as HTML })\
            </select></div><div class="field buttons"><button type="submit" class="primary">Show</button></div></form>
            \(table("Batches", id: "batches", columns, rows, empty: "There is no batch."))
            \(pager(first: cursor == nil ? nil : address(nil), next: next.map { address($0) }))
            """
    }

    private func address(_ cursor: String?) -> Address {
        Address("ui", "batches", query: [("state", state?.rawValue), ("cursor", cursor)])
    }
}

/// One batch and its newest exports.
package struct BatchPage: DashboardPage {
    let viewer: Viewer
    let batch: Batch
    let exports: [Export]
    let notice: Notice?

    package init(viewer: Viewer, batch: Batch, exports: [Export], notice: Notice? = nil) {
        self.viewer = viewer
        self.batch = batch
        self.exports = exports
        self.notice = notice
    }

    package var title: String { batch.label }
    package var section: Section? { .batches }
    package var refreshSeconds: Int? { batch.state == .running ? 5 : nil }

    package var content: HTML {
        """
        \(heading(batch.label, actions))
        \(when(notice) { $0.html })
        <div class="state-line">\(badge(batch.state.rawValue))\
        \(progressBar(batch.progress.ended, of: batch.progress.rows, label: "Rows that have ended"))</div>
        \(bar)
        \(facts(list))
        \(when(!batch.warnings.isEmpty, "<h2>Warnings</h2><ul class=\"diagnostics\">\(batch.warnings.prefix(50).map { "<li><code>\($0.path)</code> \($0.message)</li>" as HTML })</ul>"))
        <section aria-labelledby="exports-title"><div class="heading"><h2 id="exports-title">Newest exports</h2>\
        <a href="\(Address("ui", "exports", query: [("batch", batch.id.text)]))">All exports of the batch</a></div>
        \(ExportTable(viewer: viewer, exports: exports, tenants: [:], isSelectable: false).html)</section>
        """
    }

    private var actions: HTML {
        """
        \(when(viewer.maySubmit && batch.state == .running, viewer.button("Cancel", .batch(batch.id.text, "cancel"), isDangerous: true, confirmation: "Cancel this batch with all its exports?")))\
        \(when(viewer.maySubmit && batch.progress.failed > 0, viewer.button("Rerun failed rows", .batch(batch.id.text, "rerun"))))\
        <a class="button" href="\(Address.batch(batch.id.text, "manifest.csv"))" download>Manifest as CSV</a>
        """
    }

    private var list: [(name: String, value: HTML)] {
        let progress = batch.progress
        var list: [(name: String, value: HTML)] = [
            ("Id", "<code>\(batch.id.text)</code>"), ("Rows", "\(Phrase.count(progress.rows))"),
            ("Wait", "\(Phrase.count(progress.waiting))"), ("Under way", "\(Phrase.count(progress.open))"),
            ("Completed", "\(Phrase.count(progress.completed))"), ("Failed", "\(Phrase.count(progress.failed))"),
            ("Cancelled", "\(Phrase.count(progress.cancelled))"), ("Refused", "\(Phrase.count(progress.refused))"),
            ("Pool", "\(batch.pool)"), ("Accepted", ago(batch.createdAt, at: viewer.now)),
        ]
        if let pace = batch.pace { list.append(("Pace", "\(Phrase.number(pace)) exports a minute")) }
        if let end = batch.endedAt { list.append(("Ended", ago(end, at: viewer.now))) }
        return list
    }

    /// The rows by state, as one bar.
    private var bar: HTML {
        let progress = batch.progress
        let parts = [
            ("completed", progress.completed), ("failed", progress.failed), ("cancelled", progress.cancelled),
            ("rendering", progress.open), ("waiting", progress.waiting),
        ].filter { $0.1 > 0 }
        guard progress.rows > 0 else { return .none }
        var passed = 0
        let blocks = parts.map { state, count -> HTML in
            let left = passed * 1000 / progress.rows
            passed += count
            return
                "<g class=\"segment state-\(state)\"><rect class=\"body\" x=\"\(left)\" y=\"0\" width=\"\(max(2, passed * 1000 / progress.rows - left - 1))\" height=\"20\"/></g>"
        }
        let words = parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        return """
            <figure class="strip short"><svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="Rows: \(words)">\(blocks)</svg>\
            <figcaption><span class="keys">\(parts.map { "<span class=\"key\">\(Phrase.count($0.1)) \(badge($0.0))</span>" as HTML })</span></figcaption></figure>
            """
    }
}
