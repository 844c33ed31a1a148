import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// Files in the farm's store are damaged, disappear or cannot be reached. Every export completes with the same bytes
/// all the same.
@Suite(.serialized) struct FarmStorageTests {
    @Test("A damaged or missing film is made again by a rerun or a new submission", .timeLimit(.minutes(5)))
    func lostFilm() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.watch([id])
            #expect(try await farm.film(id) == local)
            let damages = ["printf x | dd of=FILE bs=1 seek=5000 conv=notrunc status=none", "rm FILE"]
            for damage in damages {
                let film = try await farm.artifact(of: id, .stitch)
                #expect(try await ShellTool.run(damage.replacing("FILE", with: "'\(film)'")).status == 0)
                let download = try await farm.spool(["download", id, "-o", farm.directory.file("bad.mp4")])
                #expect(download.status != 0 && download.errors.contains("rerun the export"), "\(download.errors)")
                let again = try await farm.spool(["rerun", id]).output.split(separator: "\n").map(String.init)
                try await farm.watch([try #require(again.first)])
                #expect(try await farm.film(again[0]) == local)
                #expect(try await farm.film(id) == local, "the same film under the same key")
            }
            // Nobody asks for the film between the damage and the submission, so the worker has to notice the damage.
            for damage in damages {
                let film = try await farm.artifact(of: id, .stitch)
                #expect(try await ShellTool.run(damage.replacing("FILE", with: "'\(film)'")).status == 0)
                let fresh = try await farm.submit([drafts.file(0)])
                try await farm.watch(fresh)
                #expect(try await farm.film(fresh[0]) == local)
            }
        }
    }

    @Test("Eight missing segments cost the next export that shares them only time", .timeLimit(.minutes(5)))
    func lostSegments() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(1)
        try await TestFarm.with(workers: 1) { farm in
            let first = try await farm.submit([drafts.file(0)])
            try await farm.watch(first)
            for path in try await farm.artifacts(of: first[0]) {
                _ = try await ShellTool.run("rm -f '\(path)'")
            }
            let second = try await farm.submit([drafts.file(1)])
            try await farm.watch(second)
            #expect(try await farm.film(second[0]) == local)
            for job in try await farm.store.jobs(.init(export: try await farm.export(second[0]).id, limit: 1000)) {
                let failed = try await farm.store.job(job.id, tenant: nil)?.attempts.filter { $0.state == .failed } ?? []
                #expect(failed.allSatisfy { $0.failure?.missingArtifacts?.isEmpty == false })
            }
        }
    }

    @Test("Exports complete although the artifact directory is emptied meanwhile", .slow, .timeLimit(.minutes(10)))
    func emptied() async throws {
        let library = try await DraftLibrary()
        try await TestFarm.with(workers: 2) { farm in
            func drafts(_ range: Range<Int>) -> [String] {
                range.map { library.folder + "/draft\(String($0 + 1000).dropFirst()).json" }
            }
            let completed = try await farm.submit(drafts(0..<20))
            try await farm.watch(completed)
            let running = try await farm.submit(drafts(20..<40), ["--set", "videoQuality=24"])
            try await farm.watch([running[4]])
            _ = try await ShellTool.run("rm -rf '\(farm.directory.file("store/tenants/1"))'/*")
            try await farm.watch(running)
            var again: [String] = []
            // Some of the second batch were complete before. The others have their films, and their reruns reuse them.
            for id in completed + running {
                let outcome = try await farm.spool(["rerun", id])
                again.append(try #require(outcome.output.split(separator: "\n").first.map(String.init), "\(outcome.errors)"))
            }
            try await farm.watch(again)
            for (index, id) in [(0, again[0]), (10, again[10]), (19, again[19])] {
                #expect(try await farm.film(id) == library.localFilm(index))
            }
            for (index, id) in [(20, again[20]), (24, again[24]), (39, again[39])] {
                #expect(try await farm.film(id) == library.localFilm(index, ["--set", "videoQuality=24"]))
            }
        }
    }

    @Test("No running export fails while the store is unavailable for a while", .slow, .timeLimit(.minutes(10)))
    func storeAway() async throws {
        let drafts = try await SampleDrafts()
        let local = [try await drafts.exportLocally(0), try await drafts.exportLocally(1)]
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([drafts.file(0), drafts.file(1)])
            try await farm.eventually { try await farm.rendersSegment() }
            let store = farm.directory.file("store")
            #expect(try await ShellTool.run("mv '\(store)' '\(store).away'").status == 0)
            // Wait until an attempt has failed because its sources are in the unavailable store.
            try await farm.eventually { try await farm.failedAttempts().contains { $0.failureClass == .storage } }
            #expect(try await ShellTool.run("rm -rf '\(store)'; mv '\(store).away' '\(store)'").status == 0)
            try await farm.watch(ids)
            for (id, expected) in zip(ids, local) { #expect(try await farm.film(id) == expected) }
        }
    }

    @Test("A coordinator that starts while the store is away takes no other directory for it", .timeLimit(.minutes(10)))
    func startsWithoutStore() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.watch([id])
            for name in ["w1", "coordinator0"] { try await farm.kill(name) }
            let store = farm.directory.file("store")
            // An unmounted file system leaves its mount point so.
            #expect(try await ShellTool.run("mv '\(store)' '\(store).away' && mkdir '\(store)'").status == 0)
            try await farm.startCoordinator()
            await farm.startWorker("w2", slots: 1)
            try await farm.untilLogged("the store is away: ", by: "coordinator0")
            try await farm.untilLogged("taking no jobs: ", by: "w2")
            #expect(try await farm.readiness() == "503")
            let refused = try await farm.spool(["submit", drafts.file(0)])
            #expect(refused.status == 69, "\(refused.errors)")
            #expect(try await ShellTool.run("rmdir '\(store)' && mv '\(store).away' '\(store)'").status == 0, "it is empty")
            let again = try await farm.submit([drafts.file(0)], ["--set", "videoQuality=24"])
            try await farm.watch(again)
            #expect(try await farm.film(id) == local)
        }
    }

    @Test("A lost store is replaced by a new one when the database is told to forget it", .timeLimit(.minutes(10)))
    func newStore() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.watch([id])
            try await farm.kill("coordinator0")
            _ = try await ShellTool.run("rm -r '\(farm.directory.file("store"))'")
            let outcome = try await ShellTool.run(
                "SPOOL_DATABASE_URL='\(farm.database)' '\(SpoolTool.executable)' migrate --new-store")
            #expect(
                outcome.output.hasSuffix("the coordinator that starts next gives the farm a new store\n"), "\(outcome.errors)")
            try await farm.startCoordinator()
            let again = try await farm.submit([drafts.file(0)])
            try await farm.watch(again)
            #expect(try await farm.film(again[0]) == local)
        }
    }
}

extension TestFarm {
    /// The path of the first artifact of a kind that an export uses.
    nonisolated func artifact(of id: String, _ kind: JobKind) async throws -> String {
        let jobs = try await store.jobs(.init(export: try await export(id).id, limit: 10_000))
        return path(of: try #require(jobs.first { $0.kind == kind }))
    }

    /// The paths of all artifacts that an export uses, except its film.
    nonisolated func artifacts(of id: String) async throws -> [String] {
        try await store.jobs(.init(export: try await export(id).id, limit: 10_000))
            .filter { $0.kind != .probe && $0.kind != .stitch }.map(path)
    }

    private nonisolated func path(of job: Job) -> String {
        directory.file("store/tenants/\(job.tenant)/\(job.key.text.prefix(2))/\(job.key.text)")
    }

    /// The failures of all attempts so far.
    nonisolated func failedAttempts() async throws -> [JobFailure] {
        var failures: [JobFailure] = []
        for job in try await store.jobs(.init(limit: 10_000)) {
            failures += try await store.job(job.id, tenant: nil)?.attempts.compactMap(\.failure) ?? []
        }
        return failures
    }
}
