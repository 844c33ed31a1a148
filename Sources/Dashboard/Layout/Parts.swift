import ExportPlan
import FarmAPI
import FoundationEssentials

/// Parts that several pages have.

/// The state of an export, a batch, a job or an attempt: its name, and a sign whose shape differs from state to state, so
/// that nobody has to tell colours apart.
func badge(_ state: String) -> HTML {
    let sign: HTML =
        switch state {
        case "completed", "done", "succeeded": "<path d=\"M3 8.5l3.2 3.2L13 5\"/>"
        case "failed": "<path d=\"M4 4l8 8M12 4l-8 8\"/>"
        case "cancelled", "returned": "<path d=\"M3.5 8h9\"/>"
        case "lost": "<path d=\"M8 3.5v5.5M8 11.6v.8\"/>"
        case "running", "rendering": "<path d=\"M5 3.5l7.5 4.5L5 12.5z\"/>"
        case "probing", "dispatched": "<circle cx=\"8\" cy=\"8\" r=\"2\"/><circle cx=\"8\" cy=\"8\" r=\"5\"/>"
        case "ready": "<circle cx=\"8\" cy=\"8\" r=\"3.4\"/>"
        default: "<circle cx=\"8\" cy=\"8\" r=\"5\" stroke-dasharray=\"2.6 2.6\"/>"
        }
    return """
        <span class="badge state-\(state)"><svg viewBox="0 0 16 16" aria-hidden="true">\(sign)</svg>\(state)</span>
        """
}

/// How far something is: a bar with its text beside it.
/// - Parameter label: what a screen reader calls it.
func progressBar(_ done: Int, of total: Int, label: String) -> HTML {
    guard total > 0 else { return "<span class=\"muted\">–</span>" }
    let percent = Int((Double(max(0, min(done, total))) * 100 / Double(total)).rounded(.down))
    return """
        <span class="progress"><progress max="100" value="\(percent)" aria-label="\(label)"></progress>\
        <span class="number">\(percent) %</span></span>
        """
}

extension Export {
    /// The frames that are rendered, of those that the film has.
    var progressBar: HTML {
        guard let frameCount else {
            return state == .completed
                ? Dashboard.progressBar(1, of: 1, label: "Progress of \(label)") : "<span class=\"muted\">–</span>"
        }
        let done = state == .completed ? frameCount : progress.framesDone
        return Dashboard.progressBar(done, of: frameCount, label: "Progress of \(label)")
    }
}

/// A heading with what stands on its right.
func heading(_ title: String, _ tools: HTML = .none) -> HTML {
    "<div class=\"heading\"><h1>\(title)</h1>\(when(!tools.isEmpty, "<div class=\"actions\">\(tools)</div>"))</div>\n"
}

/// A table that can be wider than a phone: then it moves sideways by itself.
/// - Parameters:
///   - caption: what the table shows, for screen readers.
///   - columns: the heads; those that begin with `#` are of numbers.
///   - isStacked: whether each row is a block on a phone; then its cells say what they are.
func table(
    _ caption: String, id: String, _ columns: [String], _ rows: [HTML], empty: String, isStacked: Bool = false
) -> HTML {
    guard !rows.isEmpty else { return "<p class=\"empty\" id=\"\(id)\">\(empty)</p>\n" }
    let heads = columns.map { name -> HTML in
        name.isEmpty
            ? "<td></td>"
            : name.hasPrefix("#")
                ? "<th scope=\"col\" class=\"number\">\(String(name.dropFirst()))</th>" : "<th scope=\"col\">\(name)</th>"
    }
    return """
        <div class="table\(when(isStacked, " stack"))" id="\(id)" role="region" aria-label="\(caption)" tabindex="0"><table>
        <caption class="hidden-text">\(caption)</caption>
        <thead><tr>\(heads)</tr></thead>
        <tbody>
        \(rows)
        </tbody></table></div>

        """
}

/// Names with values.
func facts(_ facts: [(name: String, value: HTML)]) -> HTML {
    "<dl class=\"facts\">\(facts.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" as HTML })</dl>\n"
}

/// The way to the next page of a list, and back to the first one.
func pager(first: Address?, next: Address?) -> HTML {
    guard first != nil || next != nil else { return .none }
    return """
        <nav class="pager" aria-label="Pages">\(when(first) { "<a href=\"\($0)\">First page</a>" })\
        \(when(next) { "<a href=\"\($0)\" rel=\"next\">Next page</a>" })</nav>

        """
}

/// The outcome of an action, from a closed list, so that no address can put words into a page.
package enum Notice: String, CaseIterable, Sendable {
    case cancelled, retried, removed, priority, queuePaused, queueResumed, draining, resumed, discarded, rowsRerun, revoked
    case tenantCreated, tenantChanged, rerun, published

    var text: String {
        switch self {
        case .cancelled: "It is cancelled."
        case .retried: "The failed jobs run again."
        case .removed: "The export is removed."
        case .priority: "The priority is changed."
        case .queuePaused: "The queue is paused. Jobs that run go on."
        case .queueResumed: "The queue goes on."
        case .draining: "The worker is asked to drain. It is no longer listed when it has ended."
        case .resumed: "The worker is asked to take jobs again."
        case .discarded: "The dead letter is discarded. The job and its export stay as they are."
        case .rowsRerun: "The failed rows run again."
        case .revoked: "The token is revoked."
        case .tenantCreated: "The tenant is created."
        case .tenantChanged: "The tenant is changed."
        case .rerun: "This is the new export of the same draft."
        case .published: "The film is sent to its destination."
        }
    }

    var html: HTML { "<p class=\"notice\" role=\"status\">\(text)</p>\n" }
}

/// The pattern of what is not there yet, for the drawings of a page. A page has it once.
let hatch: HTML = """
    <svg class="defs" width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="8" height="8" \
    patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v8" class="hatch-line"/></pattern></defs></svg>
    """

/// A text of a client as a part of an element's id, which has no spaces.
func identifier(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" })
}
