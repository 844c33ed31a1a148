import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// Fonts on a farm: a draft can have its own, and workers may have different ones installed.
@Suite(.serialized) struct FarmFontTests {
    private static func write(text: String, captions font: String, in directory: TemporaryDirectory) throws -> String {
        let captions = "1\n00:00:00,000 --> 00:00:10,000\ncaption\n"
        try Data(captions.utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
        let draft = """
            {"version": 1, "videoSize": {"width": 128, "height": 72}, "frameRate": 25, "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 0, "duration": 12}, "source": {"type": "text", "text": "T", "font": "\(text)"}},
                        {"timeRange": {"start": 0, "duration": 9},
                         "source": {"type": "captions", "url": "words.srt", "style": {"font": "\(font)"}}}]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        return directory.file("draft.json")
    }

    @Test(
        "A font beside a draft is uploaded with it, and the film is that of a local export",
        .timeLimit(.minutes(10)))
    func own() async throws {
        guard RenamedFont.isPossible else { return }
        let directory = try TemporaryDirectory()
        let path = try FarmFontTests.write(
            text: "\(RenamedFont.family) 20", captions: "\(RenamedFont.family) 20", in: directory)
        try FileManager.default.createDirectory(atPath: directory.file("fonts"), withIntermediateDirectories: true)
        try RenamedFont.write(to: directory.file("fonts/own.ttf"))
        let local = try await SpoolTool.run(
            ["export", path, "-o", directory.file("local.mp4"), "--cache", directory.file("cache")])
        #expect(local.status == 0, "\(local.errors)")
        try await TestFarm.with(workers: 1) { farm in
            let ids = try await farm.submit([path])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == ContentHash.ofFile(directory.file("local.mp4")).hash)
        }
    }

    @Test(
        "Of two workers with different versions of a font, only the one with the requested version renders",
        .timeLimit(.minutes(10)))
    func versions() async throws {
        guard RenamedFont.isPossible else { return }
        let directory = try TemporaryDirectory()
        let path = try FarmFontTests.write(text: "\(RenamedFont.family) 20", captions: "Sans 20", in: directory)
        for (revision, name) in ["first", "second"].enumerated() {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
            try RenamedFont.write(to: directory.file("\(name)/own.ttf"), revision: UInt8(revision))
        }
        try await TestFarm.with(workers: 0) { farm in
            for name in ["first", "second"] {
                await farm.startWorker(name, environment: ["SPOOL_FONT_PATH": directory.file(name)])
            }
            let ids = try await farm.submit([path])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]).isEmpty == false)
            for job in try await farm.store.jobs(.init(limit: 10_000)) {
                let attempts = try await farm.store.job(job.id, tenant: nil)?.attempts ?? []
                for failure in attempts.compactMap(\.failure) { #expect(failure.failureClass == .environment) }
            }
        }
    }
}
