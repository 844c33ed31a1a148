package import FarmAPI
import Vocabulary

/// The choice of exports that the list shows, as its form and its address have it.
package struct ExportQuery: Hashable, Sendable {
    package var label: String?
    package var state: ExportState?
    /// `KEY=VALUE`.
    package var tag: String?
    package var batch: String?
    package var order: ExportOrder
    package var limit: Int
    package var cursor: String?

    package static let limits = [50, 100, 250, 1000]

    package init(
        label: String? = nil, state: ExportState? = nil, tag: String? = nil, batch: String? = nil, order: ExportOrder = .newest,
        limit: Int = 50, cursor: String? = nil
    ) {
        self.label = label
        self.state = state
        self.tag = tag
        self.batch = batch
        self.order = order
        self.limit = limit
        self.cursor = cursor
    }

    /// The address of the list.
    /// - Parameter cursor: the place of another page; nil for the first.
    func address(cursor: String? = nil) -> Address {
        Address(
            path: ["ui", "exports"],
            query: [
                ("label", label), ("state", state?.rawValue), ("tag", tag), ("batch", batch),
                ("order", order == .newest ? nil : order.rawValue), ("limit", limit == 50 ? nil : "\(limit)"),
                ("cursor", cursor),
            ])
    }

    var isNarrow: Bool { label != nil || state != nil || tag != nil || batch != nil }
}

/// The list of exports: narrowed, searched, sorted, and changed many at a time.
package struct ExportsPage: DashboardPage {
    let viewer: Viewer
    let query: ExportQuery
    let exports: [Export]
    /// The place of the next page; nil on the last one.
    let next: String?
    let tenants: [Int64: String]

    package init(viewer: Viewer, query: ExportQuery, exports: [Export], next: String?, tenants: [Int64: String] = [:]) {
        self.viewer = viewer
        self.query = query
        self.exports = exports
        self.next = next
        self.tenants = tenants
    }

    package var title: String { "Exports" }
    package var section: Section? { .exports }
    package var refreshSeconds: Int? { 5 }

    package var content: HTML {
        """
        \(heading("Exports"))
        \(filter)
        \(viewer.maySubmit ? selection : list)
        \(pager(first: query.cursor == nil ? nil : query.address(), next: next.map { query.address(cursor: $0) }))
        """
    }

    private var list: HTML {
        ExportTable(viewer: viewer, exports: exports, tenants: tenants, isSelectable: viewer.maySubmit).html
    }

    // MARK: What is listed

    private var filter: HTML {
        """
        <form method="get" action="\(Address.exports)" class="filter" role="search" aria-label="Exports">
        <div class="field grow"><label for="label">Label has</label>\
        <input type="search" id="label" name="label" maxlength="500" value="\(query.label ?? "")"></div>
        <div class="field"><label for="state">State</label><select id="state" name="state">\
        \(option("", "any", query.state == nil))\
        \(ExportState.allCases.map { option($0.rawValue, $0.rawValue, query.state == $0) })</select></div>
        <div class="field"><label for="tag">Tag</label>\
        <input type="text" id="tag" name="tag" placeholder="KEY=VALUE" maxlength="320" value="\(query.tag ?? "")"></div>
        <div class="field"><label for="order">Order</label><select id="order" name="order">\
        \(option("newest", "newest first", query.order == .newest))\(option("oldest", "oldest first", query.order == .oldest))\
        \(option("priority", "highest priority first", query.order == .priority))</select></div>
        <div class="field"><label for="limit">Rows</label><select id="limit" name="limit">\
        \(ExportQuery.limits.map { option("\($0)", "\($0)", query.limit == $0) })</select></div>
        \(when(query.batch) { "<input type=\"hidden\" name=\"batch\" value=\"\($0)\">" })
        <div class="field buttons"><button type="submit" class="primary">Show</button>\
        \(when(query.isNarrow, "<a href=\"\(Address.exports)\">Show all</a>"))</div>
        </form>
        \(when(query.batch) { "<p>Only exports of the batch <a href=\"\(Address.batch($0))\">\($0)</a>.</p>" })
        """
    }

    private func option(_ value: String, _ label: String, _ isChosen: Bool) -> HTML {
        "<option value=\"\(value)\"\(when(isChosen, " selected"))>\(label)</option>"
    }

    // MARK: What is done to many

    private var selection: HTML {
        guard !exports.isEmpty else { return list }
        return viewer.form(
            Address("ui", "exports", "selection"), class: "selection",
            // The enter key sends a form by its first button. This one does nothing, so that a number that is typed cancels none.
            """
            <button type="submit" disabled hidden></button>
            <div class="bulk">
            <span class="choose"><input type="checkbox" id="choose-all" hidden><label for="choose-all" hidden>All on this page</label></span>
            <span class="chosen muted" id="chosen">Choose exports, then:</span>
            <button type="submit" name="action" value="cancel" class="danger" data-confirm-count="Cancel # exports?">Cancel</button>
            <button type="submit" name="action" value="retry">Retry failed</button>
            <button type="submit" name="action" value="rerun">Rerun</button>
            <span class="together"><label for="bulk-priority">Priority</label>\
            <input type="number" id="bulk-priority" name="priority" min="-100" max="100" step="1" value="0">\
            <button type="submit" name="action" value="priority">Set</button></span>
            </div>
            \(list)
            """)
    }
}

/// The outcome for each export of a selection.
package struct SelectionPage: DashboardPage {
    package struct Line: Hashable, Sendable {
        package var id: ExportID
        /// The state afterwards; nil where there is no such export.
        package var state: ExportState?
        /// The action that was done, or the reason why nothing was.
        package var message: String
        package var isDone: Bool
        /// The new export of a rerun.
        package var made: ExportID?

        package init(_ id: ExportID, state: ExportState?, _ message: String, isDone: Bool, made: ExportID? = nil) {
            self.id = id
            self.state = state
            self.message = message
            self.isDone = isDone
            self.made = made
        }
    }

    let lines: [Line]

    package init(_ lines: [Line]) { self.lines = lines }

    package var title: String { "What became of the exports" }
    package var section: Section? { .exports }

    package var content: HTML {
        let done = lines.count(where: \.isDone)
        let rows = lines.map { line -> HTML in
            """
            <tr><td>\(when(line.state) { badge($0.rawValue) }.orDash)</td>\
            <td><a href="\(Address.export(line.id.text))">\(line.id.text)</a></td>\
            <td class="wide">\(line.message)\(when(line.made) { ": <a href=\"\(Address.export($0.text))\">\($0.text)</a>" })</td></tr>

            """
        }
        return """
            \(heading(title))
            <p class="notice" role="status">\(Phrase.count(done, "export")) changed, \
            \(Phrase.count(lines.count - done, "export")) left as they were.</p>
            \(table("Exports of the selection", id: "outcome", ["State", "Export", "What happened"], rows, empty: "No export was chosen."))
            <p><a href="\(Address.exports)">Back to the exports</a></p>
            """
    }
}
