import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing
import Worker
import FoundationEssentials
import Glibc

@Suite("A worker that is given a source which it may not read", .timeLimit(.minutes(2)))
struct SourceLocationTests {
    /// Runs a worker with one job, a probe.
    private func failure(of location: String, _ farm: WorkerFixture) async throws -> JobFailure {
        let ticket = farm.ticket(1, location: location)
        var ends: [JobReport] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await farm.worker.run() }  // cancelled below
            try await farm.queue.send([ticket])
            ends = try await farm.ends(1)
            group.cancelAll()
        }
        let failure = try #require(ends.first?.failure)
        #expect(failure.subject == location)
        return failure
    }

    @Test("says what the name of an asset is", arguments: ["film.mp4", "", String(repeating: "AB", count: 32)])
    func assetName(_ name: String) async throws {
        let failure = try await failure(of: "asset:\(name)", WorkerFixture())
        #expect(failure.failureClass == .input)
        #expect(failure.message == "is not the name of an asset: asset:<sha256>")
    }

    @Test("says that the source lies outside its directories", arguments: ["/etc/hostname", "etc/hostname"])
    func outside(_ path: String) async throws {
        let failure = try await failure(of: path, WorkerFixture())
        #expect(failure.failureClass == .input)
        #expect(failure.message == "lies outside the directories that this worker may read")
    }

    @Test("keeps the farm's own files, also where the store lies in one of its directories")
    func store() async throws {
        let farm = try await WorkerFixture(sources: ["sources", "store"])
        let failure = try await failure(of: farm.directory.file("store/.spool-store"), farm)
        #expect(failure.failureClass == .input)
        #expect(failure.message == "lies in the farm's store; name an asset, asset:<sha256>")
    }

    @Test("waits where the directory of the source is closed to it")
    func closed() async throws {
        guard geteuid() != 0 else { return print("not tested: root may enter every directory") }
        let farm = try await WorkerFixture()
        let folder = farm.directory.file("sources/closed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        chmod(folder, 0)
        defer { chmod(folder, 0o700) }
        let failure = try await failure(of: folder + "/film.mp4", farm)
        #expect(failure.failureClass == .storage)
        #expect(failure.message == "cannot be examined: Permission denied")
    }
}
