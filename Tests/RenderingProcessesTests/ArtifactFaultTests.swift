import ExportPlan
import RenderingProcesses
import TestSupport
import Testing

/// Jobs of the renderer itself whose artifacts are missing, or larger than was planned.
@Suite("Jobs with other artifacts than planned")
struct ArtifactFaultTests {
    private let directory: TemporaryDirectory
    private let key = ArtifactKey(String(repeating: "ab", count: 32))

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Runs a job in a rendering process, and returns how it ended.
    private func outcome(of job: RenderJob) async throws -> String? {
        let process = RenderingProcess(executable: SpoolTool.executable + "-render", arguments: ["serve"])
        let feed = ListFeed([(name: "job", order: RenderOrder(job, store: directory.path))])
        try await process.serve(feed)
        return await feed.outcomes["job"]
    }

    @Test("An artifact that is gone is named, so that it is made again", .timeLimit(.minutes(2)))
    func missing() async throws {
        let request = WaveformRequest(sampleRate: 48_000, channels: 2, samplesPerPoint: 480)
        let found = try await outcome(of: .waveform(segments: [key], request: request))
        #expect(found == "failed: '\(key)' is no longer in the artifact store")
    }

    @Test("A sound that takes all of a film's size is an error of the settings, with the sizes", .timeLimit(.minutes(2)))
    func largeSound() async throws {
        let made = try await ShellTool.run(
            """
            cd '\(directory.path)' && mkdir ab && head -c 5000 /dev/zero > 'ab/\(key)' || exit 1
            sum=$(sha256sum < 'ab/\(key)')
            printf '5000 %s\\n' "${sum%% *}" > 'ab/\(key).sum'
            """)
        try #require(made.status == 0, "\(made.errors)")
        let plan = AllocationPlan(
            key: ArtifactKey(String(repeating: "cd", count: 32)), bits: 0, measures: [],
            limit: FileSizeLimit(bytes: 4000, overhead: 100, soundtrack: key))
        #expect(
            try await outcome(of: .allocation(plan: plan))
                == "failed: 'fileSizeLimit' of 4000 bytes leaves nothing for the pictures: the sound takes 5000 bytes; "
                + "give a larger one, or a lower audioBitrate")
    }
}
