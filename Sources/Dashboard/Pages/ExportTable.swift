import FarmAPI
import Vocabulary
import FoundationEssentials

/// A list of exports as a table.
struct ExportTable {
    let viewer: Viewer
    let exports: [Export]
    /// The names of tenants by their numbers, as far as they are known.
    let tenants: [Int64: String]
    /// Whether exports are chosen for what is done to many.
    let isSelectable: Bool

    var html: HTML {
        var columns = ["State", "Export", "Progress", "#Priority", "Accepted", "Took"]
        if viewer.isOperator { columns.insert("Tenant", at: 2) }
        if isSelectable { columns.insert("", at: 0) }
        return table("Exports", id: "exports", columns, exports.map(row), empty: "No export matches.", isStacked: true)
    }

    private func row(_ export: Export) -> HTML {
        """
        <tr id="export-\(export.id.text)">\(when(isSelectable, check(export)))<td class="state">\(badge(export.state.rawValue))</td>\
        <td class="wide"><a href="\(Address.export(export.id.text))">\(export.label)</a>\(when(export.tags) { tags($0) })\
        \(when(export.failure) { "<span class=\"reason\">\(String($0.message.prefix(160)))</span>" })</td>\
        \(when(viewer.isOperator, "<td data-label=\"Tenant\">\(tenants[export.tenant] ?? "\(export.tenant)")</td>"))\
        <td>\(export.progressBar)</td><td class="number" data-label="Priority">\(export.priority)</td>\
        <td class="nowrap" data-label="Accepted">\(ago(export.createdAt, at: viewer.now))</td>\
        <td class="nowrap" data-label="Took">\(took(export))</td></tr>

        """
    }

    private func check(_ export: Export) -> HTML {
        """
        <td class="check"><input type="checkbox" name="export" value="\(export.id.text)" id="check-\(export.id.text)" \
        aria-label="Choose \(export.label)"></td>
        """
    }

    private func took(_ export: Export) -> String {
        guard let end = export.finishedAt else { return "–" }
        return Phrase.seconds(end.timeIntervalSince(export.createdAt))
    }

    private func tags(_ tags: [String: String]) -> HTML {
        let links = tags.sorted { $0.key < $1.key }.prefix(6).map { tag($0.key, $0.value) }
        return
            "<span class=\"tags\">\(links)\(when(tags.count > 6, "<span class=\"muted\">and \(tags.count - 6) more</span>"))</span>"
    }
}

/// A tag, which leads to the exports that have it.
func tag(_ key: String, _ value: String) -> HTML {
    """
    <a class="tag" href="\(Address("ui", "exports", query: [("tag", "\(key)=\(value)")]))">\(key)<b>\(value)</b></a>
    """
}
