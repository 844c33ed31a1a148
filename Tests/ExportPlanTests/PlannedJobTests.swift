import ExactTime
import ExportPlan
import Testing
import Vocabulary

@Suite("A plan's jobs")
struct PlannedJobTests {
    private func key(_ name: String) -> ArtifactKey { ArtifactKey(name) }

    private func picture(_ name: String, frames: Int = 30) -> VideoSegment {
        VideoSegment(
            key: key(name), firstFrame: 0,
            slice: VideoSlice(
                canvas: FrameSize(width: 1000, height: 1000), frameRate: FrameRate(30), frameCount: frames,
                instruction: Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(Rational(1))), layers: []),
                encode: VideoEncodeSettings(
                    codec: .h264, rate: .quality(constantRateFactor: 20), speed: "medium", maxKeyframeInterval: 60)))
    }

    private func sound(_ name: String) -> AudioSegment {
        AudioSegment(
            key: key(name), firstSample: 0,
            slice: AudioSlice(sampleRate: 48_000, channels: 2, sampleCount: 48_000, inputs: []))
    }

    private func plan(_ pictures: [String], sounds: [String], measured: Bool = false) -> RenderPlan {
        let soundtrack = SoundtrackPlan(
            key: key("soundtrack"), encode: AudioEncodeSettings(bitrate: 128_000, sampleRate: 48_000, channels: 2),
            sampleCount: 48_000)
        let stitch = StitchPlan(
            key: key("film"), frameRate: FrameRate(30), frameCount: 30 * pictures.count,
            container: ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:]))
        let measures = pictures.map { picture("measured \($0)") }
        let bitrate = BitratePlan(
            measures: measures,
            allocation: AllocationPlan(key: key("allocation"), bits: 1000, measures: measures.map(\.key)))
        return RenderPlan(
            videoSegments: pictures.map { picture($0) }, audioSegments: sounds.map(sound), soundtrack: soundtrack, stitch: stitch,
            bitrate: measured ? bitrate : nil)
    }

    private func needed(_ plan: RenderPlan, hasFilm: Bool = false, _ known: Set<String>) -> [String] {
        let jobs = plan.jobs
        let needed = NeededJobs(jobs, hasFilm: hasFilm) { known.contains($0.text) }
        return jobs.filter(needed.contains).map(\.key.text)
    }

    @Test("are its measurements, allocation, pictures, sounds, soundtrack and stitch")
    func kinds() {
        let jobs = plan(["a", "b"], sounds: ["c"], measured: true).jobs
        #expect(jobs.map(\.kind) == [.measure, .measure, .allocation, .video, .video, .audio, .soundtrack, .stitch])
        #expect(jobs.map(\.frameCount) == [30, 30, 0, 30, 30, 0, 0, 60])
        #expect(jobs.last?.key == key("film"))
    }

    @Test("have one job for segments with the same key, which the stitch joins as often as the film shows them")
    func shared() throws {
        let jobs = plan(["a", "b", "a"], sounds: ["c", "c"]).jobs
        #expect(jobs.map(\.key.text) == ["a", "b", "c", "soundtrack", "film"])
        guard case .stitch(_, let segments, _, let output, _) = try #require(jobs.last).work else {
            Issue.record("the last job is the stitch")
            return
        }
        #expect(segments.map(\.key.text) == ["a", "b", "a"] && output == nil)
    }

    @Test("have ordinals that are unique within their kind")
    func ordinals() {
        let jobs = plan(["a", "b", "c"], sounds: ["d", "e"], measured: true).jobs
        for kind in JobKind.allCases {
            let ordinals = jobs.filter { $0.kind == kind }.map(\.ordinal)
            #expect(Set(ordinals).count == ordinals.count && ordinals == ordinals.sorted())
        }
    }

    @Test("differ in nothing but their weights where they are predicted in another manner")
    func predicted() throws {
        let plan = plan(["a", "b"], sounds: ["c"], measured: true)
        var model = CostModel()
        for job in plan.jobs {
            for _ in 0..<20 { model.learn(try #require(JobMeasurement(job.work, seconds: job.weight * 3))) }
        }
        let jobs = plan.jobs(predictedBy: model.table)
        for (job, other) in zip(jobs, plan.jobs) {
            #expect(job.weight > other.weight * 2 && other.weight > 0)
            var same = job
            same.weight = other.weight
            #expect(same == other)
        }
        #expect(jobs.count == plan.jobs.count && plan.jobs(predictedBy: .builtIn) == plan.jobs)
    }

    @Test("all have to run where nothing exists")
    func nothingThere() {
        let plan = plan(["a"], sounds: ["b"], measured: true)
        #expect(needed(plan, []) == plan.jobs.map(\.key.text))
    }

    @Test("need not run where their artifacts exist, nor where only such jobs wait for them")
    func there() {
        let plan = plan(["a", "b"], sounds: ["c"], measured: true)
        #expect(needed(plan, ["soundtrack"]) == ["measured a", "measured b", "allocation", "a", "b", "film"])
        #expect(needed(plan, ["a", "b"]) == ["c", "soundtrack", "film"])
        #expect(needed(plan, ["a", "measured a"]) == ["measured b", "allocation", "b", "c", "soundtrack", "film"])
        #expect(needed(plan, ["a", "b", "soundtrack"]) == ["film"])
    }

    @Test("are only the stitch where the film's existence is enough")
    func film() {
        #expect(needed(plan(["a"], sounds: ["b"]), hasFilm: true, []) == ["film"])
    }

    @Test("are looked up once, and only where the answer matters")
    func lookups() {
        var asked: [String] = []
        let needed = NeededJobs(plan(["a", "b", "a"], sounds: ["c"], measured: true).jobs) { key in
            asked.append(key.text)
            return ["a", "b", "soundtrack"].contains(key.text)
        }
        #expect(asked == ["soundtrack", "a", "b"] && needed.found == 3)
    }
}
