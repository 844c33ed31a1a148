import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// A large batch in a small form: a hundred drafts that share ten sources.
@Suite(.serialized) struct HundredDraftsTests {
    @Test("A hundred drafts complete, and what they share is rendered once", .timeLimit(.minutes(20)))
    func together() async throws {
        let library = try await DraftLibrary()
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([library.folder])
            #expect(ids.count == DraftLibrary.draftCount)
            try await farm.watch(ids)
            let jobs = try await farm.renderedJobs()
            let keys = Set(jobs.map(\.key))
            let made = jobs.filter { !$0.reused }
            print("\(ids.count) exports: \(jobs.count) jobs, \(keys.count) artifacts, \(made.count) of them rendered")
            #expect(keys.count < jobs.count, "nothing is shared: the test shows nothing")
            // Each artifact is made by one job in one attempt, for all exports that need it.
            #expect(made.count == keys.count)
            #expect(made.allSatisfy { $0.attempt == 1 })
            try await library.expectLocalFilms(of: ids, on: farm)
        }
    }

    @Test("A hundred drafts survive a killed worker and coordinator and a flushed Redis", .slow, .timeLimit(.minutes(20)))
    func kills() async throws {
        // The pictures are large enough that the farm still works when the test kills a part of it.
        let library = try await DraftLibrary(width: 640, height: 360)
        try await TestFarm.with(workers: 2) { farm in
            // The farm must not be done before all drafts are submitted.
            _ = try await farm.spool(["queue", "pause", "video"])
            let ids = try await farm.submit([library.folder])
            #expect(try await farm.spool(["queue", "resume", "video"]).status == 0)
            // A worker with two slots and segments that wait nearly always renders one. Waiting until the database says so
            // could last for ever: the reports of a job's begin and end may be stored together.
            try await farm.eventually { try await farm.completedExports() >= 5 }
            try await farm.kill("w1")
            #expect(try await farm.completedExports() < 50, "the farm was nearly done: the test shows little")
            await farm.startWorker("w3")
            try await farm.eventually { try await farm.completedExports() >= 20 }
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            try await farm.eventually { try await farm.completedExports() >= 30 }
            _ = try await farm.redis.ask(["FLUSHALL"])
            try await farm.watch(ids)
            let tried = try await farm.renderedJobs().filter { $0.attempt > 1 }
            print("\(tried.count) jobs were tried more than once")
            try await library.expectLocalFilms(of: ids, on: farm)
        }
    }

    @Test("An urgent export behind a hundred others begins in the next free slot", .timeLimit(.minutes(5)))
    func urgent() async throws {
        // The films are large enough that a segment takes longer to render than an export to compile.
        let library = try await DraftLibrary(width: 1280, height: 720)
        try await TestFarm.with(workers: 1) { farm in
            let others = try await farm.submit([library.folder], ["--set", "encoderSpeed=slower"])
            #expect(others.count == DraftLibrary.draftCount)
            try await farm.eventually { try await farm.rendersSegment() }
            let draft = library.folder + "/draft000.json"
            let urgent = try await farm.submit([draft], ["--set", "videoQuality=30", "--priority", "90"])[0]
            let id = try await farm.export(urgent).id
            try await farm.eventually {
                try await farm.segments().contains { $0.export == id && $0.finishedAt != nil }
            }
            let begun = try await farm.segmentsBegunBeforeFirst(of: urgent)
            let open = try await farm.openExports(of: others)
            print("\(open) of \(others.count) exports were open; \(begun) other segments begun before the urgent export's first")
            #expect(open > 90, "the hundred were through already: the test shows nothing")
            // The segment that was running when the urgent export came may have begun before it, one whose report was on its
            // way, and those of the half second for which slots are sent shorter jobs ahead.
            let times = try await farm.segments().filter { $0.finishedAt != nil && $0.export != id }
            let interval = times.compactMap(\.finishedAt).max().flatMap { end in
                times.compactMap(\.startedAt).min().map { end.timeIntervalSince($0) }
            }
            let typical = try #require(interval) / Double(times.count)
            print("a segment takes \(typical) s with the sounds between them")
            #expect(begun <= 2 + Int((0.5 / typical).rounded(.up)))
        }
    }
}

extension TestFarm {
    /// How many exports are complete.
    fileprivate nonisolated func completedExports() async throws -> Int {
        try await store.exports(ExportFilter(tenant: nil, state: .completed, limit: 1000)).count
    }
}

/// A hundred drafts of three to eight clips each, cut from ten sources at a few fixed places, as an editor cuts on the
/// beat.
struct DraftLibrary {
    static let draftCount = 100
    private static let sourceCount = 10

    private let directory: TemporaryDirectory
    let folder: String

    /// - Parameters: the size of the sources and films in pixels.
    init(width: Int = 160, height: Int = 90) async throws {
        directory = try TemporaryDirectory()
        folder = directory.file("drafts")
        try FileManager.default.createDirectory(atPath: folder + "/media", withIntermediateDirectories: true)
        for source in 0..<DraftLibrary.sourceCount {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=10:duration=4,hue=h=\(source * 36)", "-f", "lavfi",
                "-i",
                "sine=frequency=\(200 + source * 50):duration=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a",
                "pcm_s16le", "\(folder)/media/source\(source).mov",
            ])
        }
        var numbers = RandomNumbers(seed: 100)
        for draft in 0..<DraftLibrary.draftCount {
            let clips = (0..<Int.random(in: 3...8, using: &numbers)).map { DraftLibrary.clip(isFirst: $0 == 0, &numbers) }
            let text = """
                {"version": 1, "videoSize": {"width": \(width), "height": \(height)}, "frameRate": 10,
                 "mainTrackClips": [\(clips.joined(separator: ", "))]}
                """
            let number = String(draft + 1000).dropFirst()
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/draft\(number).json"))
        }
    }

    private static func clip(isFirst: Bool, _ numbers: inout RandomNumbers) -> String {
        let source = Int.random(in: 0..<sourceCount, using: &numbers)
        let start = Int.random(in: 0...2, using: &numbers)
        let joins = [
            "", #", "transition": {"type": "dissolve", "duration": 0.4}"#,
            #", "transition": {"type": "wipeLeft", "duration": 0.4}"#,
        ]
        let join = isFirst ? "" : joins.randomElement(using: &numbers) ?? ""
        return """
            {"type": "av", "url": "media/source\(source).mov", "timeRange": {"start": \(start), "duration": 2}\(join)}
            """
    }

    /// Compares every tenth film with the one that `spool export` makes.
    func expectLocalFilms(of ids: [String], on farm: TestFarm) async throws {
        for index in stride(from: 0, to: DraftLibrary.draftCount, by: 10) {
            #expect(try await farm.film(ids[index]) == localFilm(index), "draft \(index)")
        }
    }

    /// The sha256 of the film that `spool export` makes of a draft.
    func localFilm(_ index: Int, _ options: [String] = []) async throws -> String {
        let draft = "\(folder)/draft\(String(index + 1000).dropFirst()).json"
        let local = directory.file("local\(index).mp4")
        let outcome = try await SpoolTool.run(["export", draft, "-o", local, "--cache", directory.file("cache")] + options)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try ContentHash.ofFile(local).hash
    }
}

extension TestFarm {
    /// The jobs of all plans; probes do not count.
    nonisolated func renderedJobs() async throws -> [Job] {
        try await store.jobs(.init(limit: 1_000_000)).filter { $0.kind != .probe }
    }

    nonisolated func openExports(of ids: [String]) async throws -> Int {
        var count = 0
        for id in ids where try await !export(id).state.isTerminal { count += 1 }
        return count
    }
}
