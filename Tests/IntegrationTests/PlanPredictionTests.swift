import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// The times that `spool plan` predicts, and what exports teach about them.
@Suite("The times of a plan")
struct PlanPredictionTests {
    private struct Plan: Decodable {
        struct Prediction: Decodable {
            struct Job: Decodable {
                var kind: String
                var key: String
                var seconds: Double
            }

            var model: String
            var fittedTo: Int
            var machine: String
            var processes: Int
            var work: Double
            var seconds: Double
            var jobs: [Job]
        }

        struct Segment: Decodable {
            var key: String
        }

        var videoSegments: [Segment]
        var prediction: Prediction
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 50, sampleRate: 48_000)
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25,
             "mainTrackClips": [{"type": "av", "url": "a.mp4"}, {"type": "av", "url": "a.mp4", "opacity": 0.5}]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    private func spool(_ words: String...) async throws -> SpoolTool.Outcome {
        let outcome = try await SpoolTool.run(
            words + ["--cache", directory.file("cache"), "--set", "fileType=mp4", "--set", "encoderSpeed=ultrafast"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func plan(_ options: String...) async throws -> Plan {
        let outcome = try await SpoolTool.run(
            ["plan", directory.file("draft.json"), "--json", "--cache", directory.file("cache"), "--set", "fileType=mp4"]
                + ["--set", "encoderSpeed=ultrafast"] + options)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return try JSONDecoder().decode(Plan.self, from: Data(outcome.output.utf8))
    }

    private func export() async throws {
        _ = try await spool("export", directory.file("draft.json"), "-o", directory.file("film.mp4"))
    }

    @Test("Are predicted by the built-in model at first: for each job, and for the film by the number of processes")
    func builtIn() async throws {
        let one = try await plan("--jobs", "1")
        #expect(one.prediction.model == "builtIn" && one.prediction.fittedTo == 0 && one.prediction.processes == 1)
        #expect(!one.prediction.machine.isEmpty)
        #expect(Set(one.prediction.jobs.map(\.kind)) == ["video", "audio", "soundtrack", "stitch"])
        #expect(Set(one.videoSegments.map(\.key)).isSubset(of: one.prediction.jobs.map(\.key)))
        #expect(one.prediction.jobs.allSatisfy { $0.seconds > 0 })
        #expect(abs(one.prediction.seconds - one.prediction.work) < 0.002)
        let many = try await plan("--jobs", "8")
        #expect(many.prediction.seconds < one.prediction.seconds && many.prediction.work == one.prediction.work)
        let text = try await spool("plan", directory.file("draft.json"), "--jobs", "2").output.split(separator: "\n")
        let videos = text.filter { $0.hasPrefix("video ") }
        #expect(!videos.isEmpty && videos.allSatisfy { $0.contains("to render, ") && $0.hasSuffix(" s") }, "\(text)")
        #expect(text.last?.hasPrefix("time ") == true && text.last?.hasSuffix("predicted by the built-in model") == true)
        #expect(text.last?.contains(" with 2 processes, ") == true)
    }

    @Test("Are predicted by what exports of this machine took, and what the cache has takes no time")
    func fitted() async throws {
        let before = try await plan()
        try await export()
        let after = try await plan()
        #expect(after.prediction.model == "fitted" && after.prediction.fittedTo == before.prediction.jobs.count)
        #expect(after.prediction.jobs.map(\.kind) == ["stitch"])
        #expect(after.videoSegments.map(\.key) == before.videoSegments.map(\.key))
        let text = try await spool("plan", directory.file("draft.json")).output
        #expect(text.contains("in the cache\n") && !text.contains("to render"))
        let count = before.prediction.jobs.count
        #expect(text.hasSuffix("predicted by a model fitted to \(count) jobs of this machine\n"), "\(text)")
        // Only the stitch runs again, and teaches something.
        try await export()
        #expect(try await plan().prediction.fittedTo == count + 1)
    }

    @Test("Are those of the built-in model where the file of what was learned is damaged, and the next export mends it")
    func damaged() async throws {
        try await export()
        let folder = directory.file("cache/costs")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        #expect(try await plan().prediction.model == "builtIn")
        try await export()
        #expect(try await plan().prediction.fittedTo == 1)
    }
}
