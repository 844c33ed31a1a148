public import Coordinator

/// Watching exports until they have ended.
extension FarmClient {
    /// Looks at exports again and again until all have ended: one or thousands.
    ///
    /// A farm that is away for a while is waited for, up to `patience`.
    /// - Parameters:
    ///   - interval: between two looks; longer where there are many.
    ///   - show: told how they stand, in the order of `ids`, after every round.
    /// - Returns: the exports as they ended, in the order of `ids`.
    public func follow(
        _ ids: [ExportID], interval: Duration = .seconds(1), patience: Duration = .seconds(60),
        show: ([Export]) -> Void = { _ in }
    ) async throws -> [Export] {
        var known: [ExportID: Export] = [:]
        var lastAnswer = ContinuousClock.now
        while true {
            let open = Set(ids).filter { known[$0]?.state.isTerminal != true }
            do {
                for export in try await look(at: Array(open)) { known[export.id] = export }
                lastAnswer = .now
            } catch let failure as ClientFailure where failure.mayPass && lastAnswer.duration(to: .now) < patience {
                // Looked for again after the interval.
            }
            let exports = ids.compactMap { known[$0] }
            show(exports)
            if exports.count == ids.count, exports.allSatisfy(\.state.isTerminal) { return exports }
            try await Task.sleep(for: max(interval, interval * (open.count / 50)))
        }
    }

    /// A few at a time.
    private func look(at ids: [ExportID]) async throws -> [Export] {
        try await withThrowingTaskGroup(of: Export.self) { group in
            var found: [Export] = []
            var rest = ids[...]
            for id in rest.prefix(8) { group.addTask { try await export(id) } }
            rest = rest.dropFirst(8)
            while let export = try await group.next() {
                found.append(export)
                if let id = rest.popFirst() { group.addTask { try await self.export(id) } }
            }
            return found
        }
    }
}
