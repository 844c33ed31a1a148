package import ExportPlan
package import FarmAPI
import Synchronization

/// The sources of exports by content hash, as the tickets of their jobs carry them: decoding them for each ticket would
/// cost more than the rest of the dispatch.
///
/// It is for facts that no longer change. Where there is no more room, the exports whose jobs were not dispatched for
/// longest are forgotten; they are read again when they are needed.
package final class ReferenceCache: Sendable {
    private struct Entry {
        var references: [String: SourceReference]
        var lastUse: Int
    }

    private struct State {
        var entries: [ExportID: Entry] = [:]
        var uses = 0
        /// How many references the entries have; an entry without any counts as one.
        var size = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many references are kept, at least 1.
    package init(limit: Int = 20_000) {
        self.limit = limit
    }

    /// The sources of those exports that are known.
    package func references(of exports: Set<ExportID>) -> [ExportID: [String: SourceReference]] {
        state.withLock { state in
            state.uses += 1
            var found: [ExportID: [String: SourceReference]] = [:]
            for export in exports {
                guard let entry = state.entries[export] else { continue }
                state.entries[export]?.lastUse = state.uses
                found[export] = entry.references
            }
            return found
        }
    }

    /// Adds the sources of an export. Sources that alone are more than the limit are not kept.
    package func add(_ references: [String: SourceReference], of export: ExportID) {
        let size = max(1, references.count)
        guard size <= limit else { return }
        state.withLock { state in
            remove(export, from: &state)
            if state.size + size > limit {
                // Half of the room is made at once, so that sorting is rare.
                for (oldest, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                    guard state.size > limit / 2 || state.size + size > limit else { break }
                    remove(oldest, from: &state)
                }
            }
            state.uses += 1
            state.entries[export] = Entry(references: references, lastUse: state.uses)
            state.size += size
        }
    }

    /// How many references are kept.
    package var size: Int { state.withLock { $0.size } }

    private func remove(_ export: ExportID, from state: inout State) {
        guard let entry = state.entries.removeValue(forKey: export) else { return }
        state.size -= max(1, entry.references.count)
    }
}
