import CommandLineInterface

/// Exports again and again: whenever a file changes that the export reads. An export that is under way is ended then; the
/// segments that it has finished are in the cache.
struct RepeatedExport: Sendable {
    /// The time between two looks at the files. A file counts as written when two looks show the same.
    private static let interval = Duration.milliseconds(150)

    private let states: @Sendable () -> FileStates
    private let export: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - states: finds the files that an export reads now, and their states.
    ///   - export: exports and prints the result.
    init(of states: @escaping @Sendable () -> FileStates, _ export: @escaping @Sendable () async throws -> Void) {
        self.states = states
        self.export = export
    }

    /// Runs until its task is cancelled.
    /// - Throws: `CancellationError`, or the failure of an export that no change of a file can mend.
    func run() async throws {
        while true {
            // Taken before the export reads the files, so that no change is missed.
            let before = states()
            let changes = try await withThrowingTaskGroup(of: [String]?.self) { group in
                group.addTask { try await change(after: before) }
                group.addTask {
                    try await exportOnce()
                    return nil
                }
                defer { group.cancelAll() }
                while let finished = try await group.next() {
                    if let finished { return finished }
                }
                throw CancellationError()
            }
            Terminal.error("changed: \(changes.joined(separator: ", "))")
        }
    }

    /// - Throws: `CancellationError`, or a failure that no change of a file can mend. Other failures are printed.
    private func exportOnce() async throws {
        do {
            try await export()
            Terminal.error("watching the draft and its files; Ctrl-C ends it")
        } catch {
            try Task.checkCancellation()
            guard let failure = CommandFailure(any: error), failure.status != ExitStatus.usage,
                failure.status != ExitStatus.cannotCreate
            else { throw error }
            _ = failure.tell()
            Terminal.error("the film stays as it is; watching the draft and its files")
        }
    }

    /// Waits for a change, and until what changes has been written.
    /// - Returns: the files that have changed.
    private func change(after before: FileStates) async throws -> [String] {
        while true {
            try await Task.sleep(for: RepeatedExport.interval)
            var now = before.again
            guard now != before else { continue }
            while true {
                try await Task.sleep(for: RepeatedExport.interval)
                let next = before.again
                if next == now { break }
                now = next
            }
            let changes = now.changes(since: before)
            // A file may have been replaced and put back.
            if !changes.isEmpty { return changes }
        }
    }
}
