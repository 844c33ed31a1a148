import FarmAPI
import ArtifactStore
import ExportPlan
import JobQueue
import TestSupport
import Testing
import Worker
import FoundationEssentials
import Glibc

@Suite("A worker whose storage is away")
struct StorageTests {
    @Test(
        "takes no jobs, says why, calls no source missing, and goes on when the store is back", .timeLimit(.minutes(2)))
    func store() async throws {
        let farm = try await WorkerFixture()
        let asset = try farm.upload("a source")
        let (store, elsewhere) = (farm.directory.file("store"), farm.directory.file("elsewhere"))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, asset: asset)])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])

            try FileManager.default.moveItem(atPath: store, toPath: elsewhere)
            try await farm.queue.send([farm.ticket(2, asset: asset)])
            // The second job is returned, which counts against nothing.
            let paused = try await farm.status { $0.pausedFor?.contains(store) == true }
            #expect(!paused.isDraining)
            // The third job stays in the queue, and its lease does not even begin.
            try await farm.queue.send([farm.ticket(3, asset: asset)])
            #expect(!FileManager.default.fileExists(atPath: store), "nothing is made in the place of a store that is away")

            try FileManager.default.moveItem(atPath: elsewhere, toPath: store)
            try await farm.queue.send([farm.ticket(2, attempt: 2, asset: asset)])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.id.job).sorted() == [2, 3])
            #expect(ends.map(\.end) == ["finished", "finished"])
            _ = try await farm.status { $0.pausedFor == nil }
        }
    }

    @Test("says that a source is missing where the store is there and the source is not", .timeLimit(.minutes(2)))
    func missing() async throws {
        let farm = try await WorkerFixture()
        let asset = String(repeating: "ab", count: 32)
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, asset: asset)])
            let end = try #require(try await farm.ends(1).first)
            #expect(end.end == "input")
            #expect(end.failure?.message == "is no longer there; upload it again")
        }
    }

    @Test("reuses a stored artifact only where its bytes agree with its checksum", .timeLimit(.minutes(2)))
    func damagedArtifact() async throws {
        let farm = try await WorkerFixture()
        var (intact, damaged) = (try farm.ticket(1, "good"), try farm.ticket(2, "good"))
        (intact.kind, damaged.kind) = (.video, .video)
        _ = try farm.store(Data("a picture".utf8), as: intact.key)
        let file = try farm.store(Data("a picture".utf8), as: damaged.key)
        try Data("a Picture".utf8).write(to: URL(fileURLWithPath: file))
        let tickets = [intact, damaged]
        try await farm.working {
            try await farm.queue.send(tickets)
            let ends = try await farm.ends(2)
            #expect(ends.first?.outcome == .finished(result: JobResult(), reused: true))
            // The job goes to the renderer, which stores nothing in this test.
            #expect(ends.last?.end == "crash", "\(ends)")
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("waits where the directory of a source is away, which is not the draft's fault", .timeLimit(.minutes(2)))
    func directory() async throws {
        let farm = try await WorkerFixture()
        let ticket = try farm.ticket(1, "good")
        try FileManager.default.moveItem(atPath: farm.directory.file("sources"), toPath: farm.directory.file("elsewhere"))
        try await farm.working {
            try await farm.queue.send([ticket])
            let end = try #require(try await farm.ends(1).first)
            #expect(end.end == "storage")
            #expect(end.failure?.message.contains("; is it mounted on this machine?") == true, "\(end)")
        }
    }

    @Test("takes no jobs where its store is another farm's, and goes on with the right store", .timeLimit(.minutes(2)))
    func otherFarm() async throws {
        let farm = try await WorkerFixture()
        let marker = farm.directory.file("store/.spool-store")
        let directory = FarmDirectory(farm.directory.file("store"), farm: "theirs")
        try directory.marker.create()
        @Sendable func ticket(_ job: Int64, attempt: Int = 1) throws -> JobTicket {
            var ticket = try farm.ticket(job, "good")
            ticket.attempt = attempt
            ticket.farm = "ours"
            return ticket
        }
        try await farm.working {
            try await farm.queue.send([try ticket(1)])
            let paused = try await farm.status { $0.pausedFor?.contains("is the store of farm theirs") == true }
            #expect(paused.pausedFor?.contains("the database is farm ours") == true)
            try await farm.queue.send([try ticket(2)])
            #expect(try await farm.queue.held().contains(AttemptID(job: 2, attempt: 1)), "it is not taken")
            try FileManager.default.removeItem(atPath: marker)
            try FarmDirectory(directory.root, farm: "ours").marker.create()
            try await farm.queue.send([try ticket(1, attempt: 2)])
            let ends = try await farm.ends(2)
            #expect(ends.map(\.id.job).sorted() == [1, 2])
            #expect(ends.allSatisfy { $0.end == "finished" }, "\(ends)")
        }
    }

    @Test("goes on with other jobs when a file outside the store cannot be read", .timeLimit(.minutes(2)))
    func unreadableSource() async throws {
        // A single pause would be longer than the test.
        let farm = try await WorkerFixture(storePauses: .seconds(3600) ... .seconds(3600))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, "unreadable"), farm.ticket(2, "good")])
            #expect(try await farm.ends(2).map(\.end).sorted() == ["finished", "storage"])
        }
    }

    @Test("waits where it cannot make the directory of a tenant", .timeLimit(.minutes(2)))
    func tenant() async throws {
        let farm = try await WorkerFixture()
        let tenants = farm.directory.file("store/tenants")
        try Data("a file".utf8).write(to: URL(fileURLWithPath: tenants))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, "good")])
            let end = try #require(try await farm.ends(1).first)
            #expect(end.end == "storage")
            #expect(end.failure?.description == "'\(tenants)/7' cannot be made: Not a directory")
            try FileManager.default.removeItem(atPath: tenants)
            var again = try farm.ticket(1, "good")
            again.attempt = 2
            try await farm.queue.send([again])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
        }
    }

    @Test("says how to run where the store cannot be given to the user of its renderers", .timeLimit(.minutes(2)))
    func foreignStore() async throws {
        guard geteuid() != 0 else { return print("not tested: root may give files to every user") }
        let farm = try await WorkerFixture(renderUser: RenderUser(userID: geteuid() + 1, groupID: getegid()))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, "good")])
            let end = try #require(try await farm.ends(1).first)
            #expect(end.end == "storage")
            #expect(
                end.failure?.message
                    == "cannot be given to user \(geteuid() + 1), whom rendering processes run as: Operation not permitted; "
                    + "run the worker as the user who owns the store instead of as root")
        }
    }

    @Test("does not start before it has a store", .timeLimit(.minutes(2)))
    func unmounted() async throws {
        let farm = try await WorkerFixture()
        let (marker, kept) = (farm.directory.file("store/.spool-store"), farm.directory.file("kept"))
        try FileManager.default.moveItem(atPath: marker, toPath: kept)
        try await farm.working {
            _ = try await farm.status { $0.pausedFor?.contains(".spool-store") == true }
            try await farm.queue.send([farm.ticket(1, "good")])
            try FileManager.default.moveItem(atPath: kept, toPath: marker)
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
        }
    }
}
