import ExportPlan
import RenderingProcesses
import TestSupport
import Testing

@Suite("The schedule of a local export")
struct LocalScheduleTests {
    private static func job(_ kind: JobKind, _ ordinal: Int, seconds: Double, frames: Int = 0) -> PlannedJob {
        PlannedJob(
            kind: kind, ordinal: ordinal, key: ArtifactKey("\(kind) \(ordinal)"),
            work: kind == .soundtrack ? soundtrack : .noOp, frameCount: frames, weight: seconds)
    }

    /// A soundtrack of all sounds of these tests.
    private static let soundtrack = RenderJob.soundtrack(
        plan: SoundtrackPlan(
            key: ArtifactKey("soundtrack"), encode: AudioEncodeSettings(bitrate: 128_000, sampleRate: 44_100, channels: 2),
            sampleCount: 44_100), segments: (0..<50).map { ArtifactKey("audio \($0)") })

    /// The order in which a job graph hands out the jobs of a film, and when the last one ends.
    private func simulated(_ jobs: [PlannedJob], slots: Int) -> Double {
        let sorted = jobs.filter(Self.isSound) + jobs.filter { !Self.isSound($0) }
        var graph = JobGraph(
            sorted.map { job in
                let needed = sorted.indices.filter { job.kind.needs.contains(sorted[$0].kind) }
                return JobGraph.Node(.noOp, after: Set(needed), weight: Self.rank(job))
            })
        var ends: [Int: Double] = [:]
        var now = 0.0
        while true {
            while ends.count < slots, let next = graph.take() { ends[next] = now + sorted[next].weight }
            guard let end = ends.values.min() else { return now }
            now = end
            // Where several jobs end at the same time, the first to be noticed makes no difference to the end.
            for (index, time) in ends.sorted(by: { $0.key < $1.key }) where time == end {
                graph.finish(index, JobResult())
                ends[index] = nil
            }
        }
    }

    private static func isSound(_ job: PlannedJob) -> Bool { job.kind == .audio || job.kind == .soundtrack }

    private static func rank(_ job: PlannedJob) -> Int {
        switch job.kind {
        case .allocation, .soundtrack: 2_000_000
        case .audio: 1_000_000
        default: job.frameCount
        }
    }

    @Test("With one slot the jobs take the sum of their times, and with many as long as those that wait for each other")
    func ends() {
        let jobs = [
            Self.job(.video, 0, seconds: 3, frames: 30), Self.job(.video, 1, seconds: 5, frames: 50),
            Self.job(.audio, 2, seconds: 1), Self.job(.soundtrack, 0, seconds: 2), Self.job(.stitch, 0, seconds: 0.5, frames: 80),
        ]
        let schedule = LocalSchedule(jobs) { _ in false }
        #expect(schedule.jobs.map(\.kind) == [.audio, .soundtrack, .video, .video, .stitch])
        #expect(schedule.seconds(slots: 1) == 11.5)
        #expect(schedule.seconds(slots: 100) == 5.5)
        // The sound and the long segment begin; the soundtrack and then the short segment follow on the first slot.
        #expect(schedule.seconds(slots: 2) == 6.5)
        #expect(schedule.reused == 0)
    }

    @Test("Jobs whose artifacts exist take no time")
    func reuse() {
        let jobs = [
            Self.job(.video, 0, seconds: 3), Self.job(.audio, 1, seconds: 1), Self.job(.soundtrack, 0, seconds: 2),
            Self.job(.stitch, 0, seconds: 0.5),
        ]
        let schedule = LocalSchedule(jobs) { $0.text.hasPrefix("video") || $0.text.hasPrefix("soundtrack") }
        #expect(schedule.jobs.map(\.kind) == [.stitch] && schedule.reused == 2)
        #expect(schedule.seconds(slots: 4) == 0.5)
    }

    @Test("The time is that of a job graph that is carried out", arguments: 1...100)
    func witness(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed))
        var jobs: [PlannedJob] = []
        func add(_ kind: JobKind, _ count: Int) {
            for _ in 0..<count {
                // Times that no sums of others equal, so that no two jobs end together.
                let seconds = Double.random(in: 0.1...9, using: &numbers)
                let frames = kind == .audio ? 0 : Int.random(in: 1...5, using: &numbers)
                jobs.append(Self.job(kind, jobs.count, seconds: seconds, frames: frames))
            }
        }
        let hasBitrate = Bool.random(using: &numbers)
        let segments = Int.random(in: 0...12, using: &numbers)
        if hasBitrate {
            add(.measure, segments)
            add(.allocation, 1)
        }
        add(.video, segments)
        add(.audio, Int.random(in: 0...4, using: &numbers))
        if Bool.random(using: &numbers) { add(.soundtrack, 1) }
        add(.stitch, 1)
        let schedule = LocalSchedule(jobs) { _ in false }
        for slots in [1, 2, 3, 8] {
            // A job whose artifact nobody needs does not run.
            #expect(abs(schedule.seconds(slots: slots) - simulated(schedule.jobs, slots: slots)) < 1e-9)
        }
    }

    @Test("The time of a long film is found without looking at all jobs for each", .timeLimit(.minutes(1)))
    func many() {
        let segments = (0..<20_000).map { Self.job(.video, $0, seconds: 1, frames: 120) }
        let schedule = LocalSchedule(segments + [Self.job(.stitch, 0, seconds: 3)]) { _ in false }
        #expect(schedule.seconds(slots: 100) == 203)
    }
}
