import BlockingWork
import Dispatch
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// An actor on its own thread.
private actor Blocker {
    private let thread = BlockingThread(name: "blocker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private var calls: [Int] = []

    func note(_ number: Int) -> pthread_t {
        calls.append(number)
        return pthread_self()
    }

    func order() -> [Int] { calls }

    /// Blocks its thread until `go` is signalled.
    func block(_ arrived: DispatchSemaphore, until go: DispatchSemaphore) -> Bool {
        arrived.signal()
        return go.wait(timeout: .now() + 60) == .success
    }
}

@Suite struct BlockingThreadTests {
    @Test("more actors than cores can block at once while other tasks go on")
    func innocent() async {
        let count = 16
        let (arrived, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blockers = (0..<count).map { _ in Blocker() }
        let released = await withTaskGroup(of: Bool.self) { group in
            for blocker in blockers { group.addTask { await blocker.block(arrived, until: go) } }
            // This task only makes progress while no thread of Swift's is blocked.
            var waiting = 0
            while waiting < count {
                if arrived.wait(timeout: .now()) == .success { waiting += 1 } else { await Task.yield() }
            }
            for _ in 0..<count { go.signal() }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(released == count)
    }

    @Test("all calls of one actor run on its thread, in order")
    func oneThread() async {
        let blocker = Blocker()
        let first = await blocker.note(1)
        let second = await blocker.note(2)
        #expect(pthread_equal(first, second) != 0)
        #expect(await blocker.order() == [1, 2])
    }

    // The limit is long, because other tests keep Swift's threads busy meanwhile.
    @Test("a thread ends with its owner", .timeLimit(.minutes(20)))
    func ends() async throws {
        func runs() -> Bool { threadNames().contains("ends-with-owner") }
        do {
            let thread = BlockingThread(name: "ends-with-owner")
            while !runs() { try await nextLook() }
            withExtendedLifetime(thread) {}
        }
        while runs() { try await nextLook() }
    }

    private func threadNames() -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []  // no /proc: no names
        return tasks.compactMap { task in
            FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm")
                .map { String(decoding: $0.dropLast(), as: UTF8.self) }
        }
    }
}
