package import DraftModel
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// The drafts of the library.
package struct DraftsPage: DashboardPage {
    let viewer: Viewer
    let drafts: [DraftRevision]
    let cursor: String?
    let next: String?

    package init(viewer: Viewer, drafts: [DraftRevision], cursor: String?, next: String?) {
        self.viewer = viewer
        self.drafts = drafts
        self.cursor = cursor
        self.next = next
    }

    package var title: String { "Drafts" }
    package var section: Section? { .drafts }

    package var content: HTML {
        let rows = drafts.map { draft -> HTML in
            """
            <tr><td class="wide"><a href="\(Address.draft(draft.name))">\(draft.name)</a></td><td class="number">\(draft.revision)</td>\
            <td class="nowrap">\(ago(draft.createdAt, at: viewer.now))</td></tr>

            """
        }
        return """
            \(heading("Drafts"))
            <p class="muted">The library of your tenant, by name.</p>
            \(table("Drafts", id: "drafts", ["Name", "#Newest revision", "Stored"], rows, empty: "The library has no draft. spool draft put stores one."))
            \(pager(first: cursor == nil ? nil : .drafts, next: next.map { Address("ui", "drafts", query: [("cursor", $0)]) }))
            """
    }
}

/// One draft of the library: a revision over time, how it differs from another one, and all revisions with their exports.
package struct DraftPage: DashboardPage {
    let viewer: Viewer
    let name: String
    let revision: Int
    /// nil where the revision cannot be read by this version.
    let timeline: DraftTimeline?
    /// The revision that is compared with, and what has changed since; nil where there is none.
    let difference: (against: Int, changes: [DraftDifference.Change])?
    /// The newest first.
    let revisions: [DraftRevisionReport]
    let cursor: String?
    let next: String?

    /// How many changes are listed, and how many characters of a value.
    private static let changeLimit = 300
    private static let valueLimit = 200

    package init(
        viewer: Viewer, name: String, revision: Int, timeline: DraftTimeline?,
        difference: (against: Int, changes: [DraftDifference.Change])?, revisions: [DraftRevisionReport], cursor: String?,
        next: String?
    ) {
        self.viewer = viewer
        self.name = name
        self.revision = revision
        self.timeline = timeline
        self.difference = difference
        self.revisions = revisions
        self.cursor = cursor
        self.next = next
    }

    package var title: String { name }
    package var section: Section? { .drafts }

    package var content: HTML {
        """
        \(heading(name, "<a class=\"button\" href=\"\(document)\">Revision \(revision) as JSON</a>"))
        <section aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline of revision \(revision)</h2>
        \(timeline?.html ?? "<p class=\"fault\">This revision has faults, so its timeline cannot be drawn.</p>")
        </section>
        \(when(difference) { changes($0.against, $0.changes) })
        \(history)
        """
    }

    private var document: Address {
        Address(path: ["ui", "drafts", name, "document"], query: [("revision", "\(revision)")])
    }

    private func changes(_ against: Int, _ changes: [DraftDifference.Change]) -> HTML {
        let rows = changes.prefix(DraftPage.changeLimit).map { change -> HTML in
            let word = ["add": "added", "remove": "removed", "replace": "changed"][change.kind.rawValue] ?? change.kind.rawValue
            return """
                <tr class="change-\(change.kind.rawValue)"><td>\(word)</td><td><code>\(change.place.isEmpty ? "the whole draft" : change.place)</code></td>\
                <td class="wide">\(when(change.before) { "<del><code>\(short($0))</code></del>" })\
                \(when(change.after) { " <ins><code>\(short($0))</code></ins>" })</td></tr>

                """
        }
        return """
            <section aria-labelledby="changes-title"><h2 id="changes-title">What changed from revision \(against) to \(revision)</h2>
            \(table("Changes", id: "changes", ["Change", "Place", "Value"], rows, empty: "The two revisions mean the same."))
            \(when(changes.count > DraftPage.changeLimit, "<p class=\"muted\">These are the first \(DraftPage.changeLimit) of \(changes.count) changes; <code>spool draft diff</code> prints all.</p>"))
            </section>

            """
    }

    private func short(_ value: String) -> String {
        value.count <= DraftPage.valueLimit ? value : value.prefix(DraftPage.valueLimit) + "…"
    }

    private var history: HTML {
        let rows = revisions.map { report -> HTML in
            let exports = report.newestExports.prefix(3).map { id -> HTML in
                "<a href=\"\(Address.export(id.text))\">\(String(id.text.prefix(13)))…</a> "
            }
            return """
                <tr\(when(report.revision == revision, " aria-current=\"true\""))><td class="number">\(report.revision)</td>\
                <td class="nowrap">\(ago(report.createdAt, at: viewer.now))</td><td class="number">\(Phrase.bytes(report.byteCount))</td>\
                <td class="number">\(Phrase.count(report.exportCount))</td><td>\(exports)</td>\
                <td class="nowrap"><a href="\(Address.draft(name, query: [("revision", "\(report.revision)")]))">Show\
                <span class="hidden-text"> revision \(report.revision)</span></a>\
                \(when(report.revision != revision, " <a href=\"\(compare(report.revision))\">Compare<span class=\"hidden-text\"> revision \(revision) with \(report.revision)</span></a>"))</td></tr>

                """
        }
        return """
            <section aria-labelledby="revisions-title"><h2 id="revisions-title">Revisions</h2>
            \(table("All revisions", id: "revisions", ["#Revision", "Stored", "#Size", "#Exports", "Newest exports", "Look"], rows, empty: "There are no further revisions."))
            \(pager(first: cursor == nil ? nil : .draft(name), next: next.map { .draft(name, query: [("cursor", $0)]) }))
            </section>
            """
    }

    /// The shown revision beside another one, the earlier one first.
    private func compare(_ other: Int) -> Address {
        .draft(name, query: [("revision", "\(max(revision, other))"), ("against", "\(min(revision, other))")])
    }
}
