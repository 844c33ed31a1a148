import FarmAPI
import ContentHashing
import Coordinator
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// A farm whose database or whose store is taken back to an earlier state, as docs/backup.md describes it.
@Suite(.serialized) struct BackupTests {
    @Test(
        "After a restore of the database no number is given out twice, and a job from before it changes nothing",
        .timeLimit(.minutes(8)))
    func databaseRestored() async throws {
        let media = try await Media()
        let (first, second, third) = (try media.draft("sea"), try media.draft("meadow"), try media.draft("tower"))
        let expected = try await [media.film(of: first), media.film(of: second), media.film(of: third)]
        try await TestFarm.with(workers: 1) { farm in
            let before = try await farm.submit([first], Media.settings)[0]
            try await farm.watch([before])
            try await farm.backUp()

            // After the backup one export completes, and a worker keeps a job of another across the restore.
            let lost = try await farm.submit([second], Media.settings)[0]
            try await farm.watch([lost])
            #expect(try await farm.film(lost) == expected[1])
            await farm.stop("w1")
            await farm.startWorker("late")
            let running = try await farm.submit([third], Media.settings)[0]
            let runningJobs = JobFilter(export: try await farm.export(running).id, state: .running)
            try await farm.eventually { try await !farm.store.jobs(runningJobs).isEmpty }
            try await farm.signal("STOP", "late")
            let newest = try await farm.highestJob()

            await farm.stop("coordinator0")
            try await farm.restore()
            #expect(try await farm.highestJob() < newest)
            try await farm.startCoordinator()
            try await farm.untilLogged("the database was restored from a backup", by: "coordinator0")

            // The film from before is there. The others have to be submitted again, and get numbers that nobody has seen.
            #expect(try await farm.film(before) == expected[0])
            #expect(try await farm.spool(["status", lost]).status != 0)
            await farm.startWorker("w2")
            let again = try await farm.submit([third, second], Media.settings)
            try await farm.signal("CONT", "late")
            try await farm.watch(again)
            #expect(try await farm.film(again[0]) == expected[2])
            #expect(try await farm.film(again[1]) == expected[1])
            let jobs = try await farm.store.jobs(.init(export: farm.export(again[0]).id, limit: 1000))
            #expect(!jobs.isEmpty && jobs.allSatisfy { $0.id > newest }, "\(jobs.map(\.id))")
            let audit = try await farm.spool(["audit"])
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")

            // A second start of the coordinator finds nothing to put right.
            await farm.stop("coordinator0")
            let highest = try await farm.highestJob()
            try await farm.startCoordinator()
            let next = try await farm.submit([try media.draft("card")], Media.settings)[0]
            try await farm.watch([next])
            #expect(try await farm.highestJob() < highest + 1000)
        }
    }

    @Test(
        "With an earlier copy of the store a film that is missing is named, and rendered again with the same bytes",
        .timeLimit(.minutes(8)))
    func storeRestored() async throws {
        let media = try await Media()
        let (first, second) = (try media.draft("sea"), try media.draft("meadow"))
        let expected = try await [media.film(of: first), media.film(of: second)]
        try await TestFarm.with(workers: 1) { farm in
            let store = farm.directory.file("store")
            let before = try await farm.submit([first], Media.settings)[0]
            try await farm.watch([before])
            _ = try await ShellTool.run("cp -a '\(store)' '\(store)-copy'")
            let lost = try await farm.submit([second], Media.settings)[0]
            try await farm.watch([lost])
            await farm.stop("w1")
            await farm.stop("coordinator0")
            _ = try await ShellTool.run("rm -r '\(store)' && mv '\(store)-copy' '\(store)'")

            let files = try await ShellTool.run(
                "'\(SpoolTool.executable)' audit files --all --database-url '\(farm.database)' --store '\(store)'")
            #expect(files.status == 70, "\(files.output)\(files.errors)")
            #expect(files.output.contains("('meadow.mp4') is not there"), "\(files.output)")

            try await farm.startCoordinator()
            await farm.startWorker("w2")
            #expect(try await farm.film(before) == expected[0])
            let download = try await farm.spool(["download", lost, "-o", farm.directory.file("lost.mp4")])
            #expect(download.status != 0)
            #expect(download.errors.contains("rerun the export"), "\(download.errors)")
            // The source is uploaded again with the draft.
            let again = try await farm.submit([second], Media.settings)[0]
            try await farm.watch([again])
            #expect(try await farm.film(again) == expected[1])
            // The export that had lost its film has it again, too, because both have the same key.
            #expect(try await farm.film(lost) == expected[1])
            let audit = try await ShellTool.run(
                "'\(SpoolTool.executable)' audit files --all --database-url '\(farm.database)' --store '\(store)'")
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }
}

/// Drafts of the sample media, and what their films must be.
private struct Media {
    static let settings = ["--set", "encoderSpeed=ultrafast"]
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        let outcome = try await SpoolTool.run(["sample-media", directory.path])
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// The file of a draft with one clip.
    func draft(_ name: String) throws -> String {
        let clip =
            name == "card"
            ? #"{"type": "image", "url": "card.png", "duration": 1}"#
            : #"{"type": "av", "url": "\#(name).mp4", "timeRange": {"start": 0, "duration": 5}}"#
        let file = directory.file("\(name).json")
        try Data(#"{"version": 1, "frameRate": 30, "mainTrackClips": [\#(clip)]}"#.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// The sha256 of a draft's film as one machine makes it.
    func film(of draft: String) async throws -> String {
        let film = directory.file("film.mp4")
        let outcome = try await SpoolTool.run(["export", draft, "-o", film, "--cache", directory.file("cache")] + Media.settings)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try ContentHash.ofFile(film).hash
    }
}

extension TestFarm {
    private nonisolated var backup: String { directory.file("spool.dump") }

    fileprivate nonisolated func backUp() async throws {
        let outcome = try await ShellTool.run("pg_dump -Fc -f '\(backup)' '\(database)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    fileprivate nonisolated func restore() async throws {
        let outcome = try await ShellTool.run("pg_restore --clean --if-exists --exit-on-error -d '\(database)' '\(backup)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// The highest number of a job.
    fileprivate nonisolated func highestJob() async throws -> Int64 {
        let connection = try await connection()
        let rows = try await connection.query("SELECT coalesce(max(id), 0) AS id FROM jobs")
        await connection.close()
        return try rows[0].get("id")
    }
}
