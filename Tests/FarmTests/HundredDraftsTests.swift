import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A night's work in small: a hundred drafts that share ten sources.
@Suite(.serialized) struct HundredDraftsTests {
    @Test("a hundred drafts complete, what they share is rendered once", .timeLimit(.minutes(20)))
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
            // Each artifact by one job and in one attempt, whoever waits for it.
            #expect(made.count == keys.count)
            #expect(made.allSatisfy { $0.attempt == 1 })
            try await library.expectLocalFilms(of: ids, on: farm)
        }
    }

    @Test("worker and coordinator killed, Redis flushed, while a hundred drafts run: all complete", .timeLimit(.minutes(20)))
    func kills() async throws {
        let library = try await DraftLibrary()
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([library.folder])
            try await farm.watch([ids[9]])
            try await farm.eventually { try await farm.rendersSegment(on: "w1") }
            try await farm.kill("w1")
            await farm.startWorker("w3")
            try await farm.watch([ids[29]])
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            try await farm.watch([ids[49]])
            _ = try await farm.redis.ask(["FLUSHALL"])
            try await farm.watch(ids)
            let tried = try await farm.renderedJobs().filter { $0.attempt > 1 }
            print("\(tried.count) jobs were tried more than once")
            try await library.expectLocalFilms(of: ids, on: farm)
        }
    }
}

/// A hundred drafts of three to eight clips each, cut from ten sources at the few places where an editor's beat would cut.
struct DraftLibrary {
    static let draftCount = 100
    private static let sourceCount = 10

    private let directory: TemporaryDirectory
    let folder: String

    init() async throws {
        directory = try TemporaryDirectory()
        folder = directory.file("drafts")
        try FileManager.default.createDirectory(atPath: folder + "/media", withIntermediateDirectories: true)
        for source in 0..<DraftLibrary.sourceCount {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4,hue=h=\(source * 36)", "-f", "lavfi", "-i",
                "sine=frequency=\(200 + source * 50):duration=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a",
                "pcm_s16le", "\(folder)/media/source\(source).mov",
            ])
        }
        var numbers = RandomNumbers(seed: 100)
        for draft in 0..<DraftLibrary.draftCount {
            let clips = (0..<Int.random(in: 3...8, using: &numbers)).map { DraftLibrary.clip(isFirst: $0 == 0, &numbers) }
            let text = """
                {"version": 1, "videoSize": {"width": 160, "height": 90}, "frameRate": 10,
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
            let draft = "\(folder)/draft\(String(index + 1000).dropFirst()).json"
            let local = directory.file("local\(index).mp4")
            let outcome = try await SpoolTool.run(["export", draft, "-o", local, "--cache", directory.file("cache")])
            try #require(outcome.status == 0, "\(outcome.errors)")
            #expect(try await farm.film(ids[index]) == ContentHash.ofFile(local).hash, "draft \(index)")
        }
    }
}

extension TestFarm {
    /// The jobs of all plans: what was looked at beforehand does not count.
    nonisolated func renderedJobs() async throws -> [Job] {
        try await store.jobs(.init(limit: 1_000_000)).filter { $0.kind != .probe }
    }
}
