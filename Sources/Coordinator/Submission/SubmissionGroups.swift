package import FarmAPI
import Vocabulary

/// Stores the exports that clients submit at the same time together.
///
/// While one transaction is under way, later submissions gather and are stored in the next one, for which a few
/// milliseconds more are waited where several have gathered. So under load a submission costs a fraction of a transaction,
/// and without load none waits. Where a group cannot be stored, because one
/// of its exports is at fault, each of them is stored alone.
package actor SubmissionGroups {
    /// How many exports, and how many bytes of documents, are stored in one transaction, unless one document alone is
    /// larger.
    private static let mostExports = 32
    private static let mostBytes = 1 << 20

    /// How long more submissions are waited for where several come at a time.
    private static let gathering = Duration.milliseconds(5)

    private let submit: @Sendable ([NewExport]) async throws -> [(export: Export, isNew: Bool)]
    private var waiting: [Submission] = []
    private var isStoring = false

    /// A submission whose client waits for the outcome.
    private struct Submission {
        var export: NewExport
        var outcome: CheckedContinuation<(export: Export, isNew: Bool), any Error>
    }

    /// - Parameter submit: stores exports: all of them, or none (`ExportStore.submit`).
    package init(
        _ submit: @escaping @Sendable ([NewExport]) async throws -> [(export: Export, isNew: Bool)]
    ) {
        self.submit = submit
    }

    /// Performs `ExportStore.submit` for one export.
    package func submit(_ export: NewExport) async throws -> (export: Export, isNew: Bool) {
        try await withCheckedThrowingContinuation { outcome in
            waiting.append(Submission(export: export, outcome: outcome))
            guard !isStoring else { return }
            isStoring = true
            // A task of its own: the end of one client's request must not end what is stored for the others.
            Task { await storeAll() }
        }
    }

    private func storeAll() async {
        while !waiting.isEmpty {
            let group = nextGroup()
            await store(group)
            guard group.count + waiting.count > 1 else { continue }
            try? await Task.sleep(for: SubmissionGroups.gathering)  // nobody cancels this task
        }
        isStoring = false
    }

    private func nextGroup() -> [Submission] {
        var count = 0
        var bytes = 0
        for submission in waiting.prefix(SubmissionGroups.mostExports) {
            if case .document(let document) = submission.export.request.subject { bytes += document.utf8.count }
            if count > 0, bytes > SubmissionGroups.mostBytes { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private func store(_ group: [Submission]) async {
        do {
            let accepted = try await submit(group.map(\.export))
            for (submission, outcome) in zip(group, accepted) { submission.outcome.resume(returning: outcome) }
        } catch {
            guard group.count > 1, (error as? FarmError)?.concernsAll != true else {
                for submission in group { submission.outcome.resume(throwing: error) }
                return
            }
            for submission in group { await store([submission]) }
        }
    }
}
