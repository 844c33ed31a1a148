import Coordinator
import FarmAPI
import FoundationEssentials
import Synchronization
import Testing

@Suite("Submissions stored together")
struct SubmissionGroupTests {
    @Test("Exports that come at the same time share transactions, and each client gets its own", .timeLimit(.minutes(1)))
    func together() async throws {
        let sizes = Mutex<[Int]>([])
        let begun = Begun(100)
        let groups = SubmissionGroups { exports in
            sizes.withLock { $0.append(exports.count) }
            await begun.all()
            return exports.map { (accepted($0), true) }
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 1...100 {
                tasks.addTask {
                    let wanted = export("film \(number)")
                    begun.add()
                    let outcome = try await groups.submit(wanted)
                    #expect(outcome.isNew && outcome.export.id == wanted.id && outcome.export.label == "film \(number)")
                }
            }
            try await tasks.waitForAll()
        }
        let counts = sizes.withLock { $0 }
        #expect(counts.reduce(0, +) == 100 && counts.count < 20 && counts.allSatisfy { $0 <= 32 }, "\(counts)")
    }

    @Test("Large documents are stored in transactions of limited size", .timeLimit(.minutes(1)))
    func large() async throws {
        let sizes = Mutex<[Int]>([])
        let begun = Begun(20)
        let groups = SubmissionGroups { exports in
            sizes.withLock { $0.append(exports.map(\.bytes).reduce(0, +)) }
            await begun.all()
            return exports.map { (accepted($0), true) }
        }
        await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 1...20 {
                tasks.addTask {
                    begun.add()
                    _ = try await groups.submit(export("film", bytes: number == 7 ? 3 << 20 : 400 << 10))
                }
            }
        }
        let counts = sizes.withLock { $0 }
        let (small, large) = (400 << 10, 3 << 20)
        let total = 19 * small + large
        #expect(counts.reduce(0, +) == total, "\(counts)")
        #expect(counts.allSatisfy { $0 <= 1 << 20 || $0 == large }, "\(counts)")
    }

    @Test("An export at fault fails alone, and one that finds the database away fails with all", .timeLimit(.minutes(1)))
    func fault() async throws {
        let isAway = Mutex(false)
        let groups = SubmissionGroups { exports in
            await Task.yield()
            if isAway.withLock({ $0 }) { throw FarmError(.unavailable, "the database is away") }
            if exports.contains(where: { $0.request.label == "film 13" }) { throw FarmError(.forbidden, "film 13 may not") }
            return exports.map { (accepted($0), true) }
        }
        #expect(await outcomes(of: groups, 40).map { "\($0)" } == ["film 13: forbidden"])
        isAway.withLock { $0 = true }
        #expect(await outcomes(of: groups, 10).count == 10)
        isAway.withLock { $0 = false }
        #expect(await outcomes(of: groups, 10).isEmpty, "later ones are stored again")
    }

    /// Submits films at the same time.
    /// - Returns: those that failed, with the codes of their errors.
    private func outcomes(of groups: SubmissionGroups, _ count: Int) async -> [String] {
        await withTaskGroup(of: String?.self) { tasks in
            for number in 1...count {
                tasks.addTask {
                    do {
                        _ = try await groups.submit(export("film \(number)"))
                        return nil
                    } catch {
                        return "film \(number): \((error as? FarmError)?.code.rawValue ?? "\(error)")"
                    }
                }
            }
            return await tasks.reduce(into: []) { if let failed = $1 { $0.append(failed) } }
        }
    }
}

/// Counts submissions that have begun, so that a store takes as long as all of them need to come.
private final class Begun: Sendable {
    private let wanted: Int
    private let count = Mutex(0)

    init(_ wanted: Int) { self.wanted = wanted }

    func add() { count.withLock { $0 += 1 } }

    func all() async { while count.withLock({ $0 }) < wanted { await Task.yield() } }
}

private func export(_ label: String, bytes: Int = 2) -> NewExport {
    NewExport(
        ExportRequest(.document(String(repeating: " ", count: bytes)), label: label), id: ExportID(), tenant: 1,
        idempotency: nil)
}

private func accepted(_ new: NewExport) -> Export {
    Export(
        id: new.id, number: 1, tenant: new.tenant, label: new.request.label, priority: 0, pool: "default", state: .submitted,
        createdAt: .now)
}

extension NewExport {
    fileprivate var bytes: Int {
        guard case .document(let document) = request.subject else { return 0 }
        return document.utf8.count
    }
}
