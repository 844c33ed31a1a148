import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// The farm makes the same film as `spool export`, with any workers, and when processes die meanwhile.
@Suite(.serialized) struct FarmFilmTests {
    @Test("A local export and farms of one, two and three workers give the same film", .timeLimit(.minutes(10)))
    func sameBytes() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        for workers in 1...3 {
            try await TestFarm.with(workers: workers) { farm in
                let ids = try await farm.submit([drafts.file(0), drafts.file(0)])
                try await farm.watch(ids)
                for id in ids { #expect(try await farm.film(id) == local, "\(workers) workers") }
                for job in try await farm.store.jobs(.init(limit: 10_000)) {
                    let logs = try await farm.store.job(job.id, tenant: nil)?.attempts.compactMap(\.log) ?? []
                    #expect(logs.allSatisfy { $0.isEmpty }, "\(job.kind): sound media give libav nothing to complain of")
                }
            }
        }
    }

    @Test(
        "Exports complete with the same bytes after a worker and the coordinator are killed and Redis is flushed",
        .timeLimit(.minutes(10)))
    func kills() async throws {
        let drafts = try await SampleDrafts()
        let local = [try await drafts.exportLocally(0), try await drafts.exportLocally(1)]
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([drafts.file(0), drafts.file(1)])
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("w1")
            await farm.startWorker("w3")
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            _ = try await farm.redis.ask(["FLUSHALL"])
            try await farm.watch(ids)
            for (id, expected) in zip(ids, local) { #expect(try await farm.film(id) == expected) }
        }
    }

    @Test(
        "A film with a bitrate has the local bytes although one of its workers is killed",
        .timeLimit(.minutes(10)))
    func bitrate() async throws {
        let drafts = try await SampleDrafts()
        let settings = ["--set", "videoBitrate=600000"]
        let local = try await drafts.exportLocally(0, settings)
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([drafts.file(0)], settings)
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("w1")
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == local)
            let jobs = try await farm.store.jobs(.init(limit: 10_000))
            let count = { (kind: JobKind) in jobs.filter { $0.kind == kind && $0.state == .done }.count }
            #expect(count(.measure) == count(.video) && count(.video) > 2 && count(.allocation) == 1)
        }
    }

    @Test("A film that keeps its sources' colours has the bytes of the local export", .timeLimit(.minutes(10)))
    func tenBits() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, hasHDRMetadata: true, frames: 60, to: directory.file("n.mp4"))
        let settings = ["--set", "colorRange=hdr"]
        let text = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "n.mp4"}]}"#
        let film = try await SpoolTool.export(text, in: directory, settings)
        let local = try ContentHash.ofFile(film).hash
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([film + ".json"], settings + ["--set", "encoderSpeed=ultrafast"])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == local)
        }
    }

    @Test(
        "Films with copied ranges, with or without encoded frames, have the bytes of the local exports",
        .timeLimit(.minutes(10)))
    func copied() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi", "-i", "sine=duration=8", "-pix_fmt",
            "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "libx264", "-g", "40",
            directory.file("s.mp4"),
        ])
        func clip(_ start: String) -> String {
            #"{"type": "av", "url": "s.mp4", "timeRange": {"start": \#(start), "duration": 2.6}}"#
        }
        let settings = ["--preset", "passthrough"]
        var files: [String] = []
        var films: [String] = []
        for (name, clips) in [("one", [clip("1.2")]), ("two", [clip("1.2"), clip("5")])] {
            let file = directory.file("\(name).json")
            try Data(#"{"version": 1, "mainTrackClips": [\#(clips.joined(separator: ", "))]}"#.utf8).write(
                to: URL(fileURLWithPath: file))
            let film = directory.file("\(name).mp4")
            let outcome = try await SpoolTool.run(["export", file, "-o", film] + settings)
            #expect(outcome.status == 0, "\(outcome.errors)")
            files.append(file)
            films.append(try ContentHash.ofFile(film).hash)
        }
        let (drafts, local) = (files, films)
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit(drafts, settings)
            try await farm.watch(ids)
            for (id, film) in zip(ids, local) { #expect(try await farm.film(id) == film) }
        }
    }

    @Test("Exports that share segments render each shared segment once", .timeLimit(.minutes(10)))
    func sharing() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([drafts.file(0), drafts.file(1), drafts.file(0), drafts.file(1)])
            try await farm.watch(ids)
            var rendered: [String: Int] = [:]
            for job in try await farm.store.jobs(.init(limit: 10_000)) where job.kind != .probe {
                let attempts = try await farm.store.job(job.id, tenant: nil)?.attempts ?? []
                rendered[job.key.text, default: 0] += attempts.count { $0.state == .succeeded && !job.reused }
            }
            #expect(!rendered.isEmpty)
            #expect(rendered.values.allSatisfy { $0 == 1 })
        }
    }
}

/// Two drafts that have clips in common, with their sources.
struct SampleDrafts {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("media"), withIntermediateDirectories: true)
        // Noise makes encoding slow enough for the tests to interrupt it.
        for (name, tone) in [("sea", 330), ("meadow", 440)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=5,noise=alls=5:all_seed=\(tone):allf=t", "-f",
                "lavfi", "-i", "sine=frequency=\(tone):duration=5", "-c:v", "libx264", "-preset", "ultrafast", "-g", "30",
                "-c:a", "pcm_s16le", directory.file("media/\(name).mov"),
            ])
        }
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "smptebars=size=640x360", "-frames:v", "1", directory.file("media/card.png"),
        ])
        let shared = """
            {"type": "av", "url": "media/sea.mov", "timeRange": {"start": 0.5, "duration": 3}},
            {"type": "image", "url": "media/card.png", "duration": 1, "transition": {"type": "dissolve", "duration": 0.5}}
            """
        for (index, last) in ["wipeLeft", "slideUp"].enumerated() {
            let draft = """
                {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 30, "mainTrackClips": [\(shared),
                  {"type": "av", "url": "media/meadow.mov", "speed": 1.5,
                   "transition": {"type": "\(last)", "duration": 0.5}}]}
                """
            try Data(draft.utf8).write(to: URL(fileURLWithPath: file(index)))
        }
    }

    func file(_ index: Int) -> String { directory.file("draft\(index).json") }

    /// The sha256 of the film that `spool export` makes.
    func exportLocally(_ index: Int, _ options: [String] = []) async throws -> String {
        let film = directory.file("local\(index).mp4")
        let outcome = try await SpoolTool.run(
            ["export", file(index), "-o", film, "--cache", directory.file("cache")] + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
        return try ContentHash.ofFile(film).hash
    }
}
