import FarmAPI
import Vocabulary
import FoundationEssentials

/// A key that `spool top` knows.
enum TopKey: Hashable, Sendable {
    case up, down, next, enter, erase, leave
    case character(Character)
}

/// The request that a key makes of the farm.
enum TopAction: Hashable, Sendable {
    case quit
    case pause(WorkerRole, Bool)
    case drain(String)
    case resume(String)
    case cancel(ExportID)
}

/// The state of the view: which list is in front, which line is chosen, how lists are sorted and filtered. Keys and facts
/// go in; lines and actions come out.
struct TopView: Sendable {
    enum Panel: Int, CaseIterable, Sendable { case queues, workers, exports }

    /// A list as it is drawn.
    private struct Drawn {
        /// The identifiers of the lines.
        var ids: [String]
        /// The header, then the lines.
        var lines: [String]
        /// The names of the columns.
        var columns: [String]
    }

    private enum Asking: Hashable, Sendable {
        case filter
        /// Whether an action shall be done.
        case confirmation(TopAction)
    }

    private var facts: TopFacts
    private var panel = Panel.queues
    private var chosen: [Panel: String] = [:]
    private var sorting: [Panel: Int] = [:]
    private var isDescending: Set<Panel> = []
    private var filter = ""
    private var asking: Asking?
    private var message = ""

    init(facts: TopFacts) { self.facts = facts }

    mutating func show(_ facts: TopFacts) { self.facts = facts }

    mutating func say(_ message: String) { self.message = message }

    // MARK: Keys

    /// - Returns: what the farm is asked for; nil for nothing.
    mutating func handle(_ key: TopKey) -> TopAction? {
        if let asking { return answer(key, asking) }
        message = ""
        switch key {
        case .character("q"): return .quit
        case .next: panel = Panel(rawValue: (panel.rawValue + 1) % Panel.allCases.count) ?? .queues
        case .up, .character("k"): choose(-1)
        case .down, .character("j"): choose(1)
        case .character("s"): sorting[panel] = ((sorting[panel] ?? -1) + 1) % max(1, drawn(panel).columns.count)
        case .character("r"): isDescending.formSymmetricDifference([panel])
        case .character("/"):
            asking = .filter
            filter = ""
        case .leave: filter = ""
        case .character("p"): return pause()
        case .character("d"): ask(panel == .workers ? selected.map { .drain($0) } : nil, "d drains a worker: choose one with Tab")
        case .character("u"):
            guard panel == .workers, let worker = selected else {
                say("u takes back that a worker drains: choose one with Tab")
                return nil
            }
            return .resume(worker)
        case .character("c"):
            ask(
                panel == .exports ? selected.flatMap { ExportID($0) }.map { .cancel($0) } : nil,
                "c cancels an export: choose one with Tab")
        case .enter, .erase, .character: break
        }
        return nil
    }

    private mutating func answer(_ key: TopKey, _ asking: Asking) -> TopAction? {
        switch (asking, key) {
        case (.confirmation(let action), .character("y")):
            self.asking = nil
            return action
        case (.confirmation, _):
            self.asking = nil
            say("nothing was changed")
        case (.filter, .character(let character)): filter.append(character)
        case (.filter, .erase): _ = filter.popLast()
        case (.filter, .leave):
            filter = ""
            self.asking = nil
        case (.filter, .enter): self.asking = nil
        case (.filter, _): break
        }
        return nil
    }

    private mutating func ask(_ action: TopAction?, _ otherwise: String) {
        guard let action else { return say(otherwise) }
        asking = .confirmation(action)
    }

    private func pause() -> TopAction? {
        guard panel == .queues, let queue = facts.queues.items.first(where: { $0.role.rawValue == selected }) else { return nil }
        return .pause(queue.role, !queue.isPaused)
    }

    /// The identifier of the chosen line: the first one where none was chosen, or it is gone.
    private var selected: String? {
        let ids = drawn(panel).ids
        return chosen[panel].flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    }

    private mutating func choose(_ step: Int) {
        let ids = drawn(panel).ids
        guard !ids.isEmpty else { return }
        let place = (selected.flatMap { ids.firstIndex(of: $0) } ?? 0) + step
        chosen[panel] = ids[min(max(0, place), ids.count - 1)]
    }

    // MARK: Lines

    private func drawn(_ panel: Panel) -> Drawn {
        let now = facts.queues.at
        return switch panel {
        case .queues: draw(facts.queues.items, FarmTables.queues(at: now), panel) { $0.role.rawValue }
        case .workers: draw(facts.workers.items, FarmTables.workers(at: now), panel) { $0.id }
        case .exports: draw(facts.exports, FarmTables.exports(at: now), panel) { $0.id.text }
        }
    }

    private func draw<Item>(_ items: [Item], _ table: ListTable<Item>, _ panel: Panel, _ id: (Item) -> String) -> Drawn {
        let columns = table.columns.filter(\.isDefault).map(\.name)
        var request = ListRequest()
        request.sorting = sorting[panel].map { columns[min($0, columns.count - 1)] }
        request.isDescending = isDescending.contains(panel)
        // The filter is a text in any column.
        let matching = items.filter { item in
            filter.isEmpty || panel == .queues || table.columns.contains { $0.value(item).shown.contains(filter) }
        }
        let sorted = table.sorted(matching, request)
        return Drawn(ids: sorted.map(id), lines: table.table(sorted, request), columns: columns)
    }

    /// The lines of the screen, all shorter than `columns` characters, because some terminals clear the last one.
    /// - Parameter emphasised: makes a line stand out.
    func lines(columns: Int, rows: Int, emphasised: (String) -> String) -> [String] {
        var lines: [(text: String, isChosen: Bool)] = []
        let room = max(1, rows - 2 - Panel.allCases.count * 2)
        let lists = Panel.allCases.map { ($0, drawn($0)) }
        var free = room
        for (place, (panel, list)) in lists.enumerated() {
            // The lists before the last one leave a third of the room to each that follows.
            let rest = lists.count - place - 1
            let count = min(list.ids.count, max(1, free - rest * room / 3))
            free = max(0, free - count)
            let order = sorting[panel].map { ", by \(list.columns[min($0, list.columns.count - 1)])" } ?? ""
            lines.append(("\(panel == self.panel ? ">" : " ") \(panel) (\(list.ids.count))\(order)", false))
            lines.append(("  " + (list.lines.first ?? ""), false))
            let current = panel == self.panel ? selected.flatMap { list.ids.firstIndex(of: $0) } : nil
            let begin = min(max(0, (current ?? 0) - count + 1), max(0, list.ids.count - count))
            for index in begin..<(begin + count) where list.lines.indices.contains(index + 1) {
                lines.append(("\(index == current ? "*" : " ") \(list.lines[index + 1])", index == current))
            }
        }
        let shown = [("spool top  \(FarmJSON.text(facts.queues.at))", false)] + lines.prefix(rows - 2) + [(foot, false)]
        return shown.map { text, isChosen in
            let cut = String(text.printable.prefix(max(1, columns - 1)))
            return isChosen ? emphasised(cut) : cut
        }
    }

    /// The last line: what is asked, what was done, or which keys there are.
    private var foot: String {
        switch asking {
        case .filter: return "lines that contain: \(filter)_   Enter keeps it, Esc ends it"
        case .confirmation(.drain(let worker)): return "drain \(worker)? y/n"
        case .confirmation(.cancel(let export)): return "cancel \(export.text)? y/n"
        case .confirmation: return "y/n"
        case nil: break
        }
        if !message.isEmpty { return message }
        let filtered = filter.isEmpty ? "" : "  lines with '\(filter)', Esc shows all"
        return "q quit  Tab list  j/k line  s sort  r reverse  / filter  p pause  d drain  u resume  c cancel\(filtered)"
    }
}
