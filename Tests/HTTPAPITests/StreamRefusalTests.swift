import Coordinator
import ExactTime
import ExportPlan
import FarmAPI
import HTTPTypes
import JobQueue
import TestServer
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Films whose segments cannot be sent as a stream. `FarmStreamTests` plays one that can.
@Suite("A stream that cannot be sent")
struct StreamRefusalTests {
    private static let soundKey = ArtifactKey(String(repeating: "ef", count: 32))

    private let media: TemporaryDirectory

    init() throws { media = try TemporaryDirectory() }

    /// A film of one picture segment and one soundtrack, which are done, and whose files are not in the store.
    private func export(_ farm: Farm, copied: CopiedFilm? = nil) async throws -> Export {
        let export = try await farm.submit()
        try await farm.store.startProbing(export.id, jobs: [])
        let container = ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:])
        let stitch = RenderJob.stitch(
            plan: StitchPlan(
                key: Farm.filmKey, frameRate: FrameRate(24), frameCount: 24, container: container, copied: copied),
            segments: [StitchSegment(key: Farm.segmentKey, frameCount: 24)], soundtrack: Self.soundKey, output: nil)
        let jobs = [
            PlannedJob(kind: .video, ordinal: 0, key: Farm.segmentKey, work: .probe(path: "/x"), frameCount: 24, weight: 1),
            PlannedJob(kind: .soundtrack, ordinal: 0, key: Self.soundKey, work: .probe(path: "/x"), weight: 1),
            PlannedJob(kind: .stitch, ordinal: 0, key: Farm.filmKey, work: stitch, frameCount: 24, weight: 1),
        ]
        try await farm.store.startRendering(
            export.id, PlannedExport(jobs: jobs, filmKey: Farm.filmKey, frameCount: 24))
        for kind in [JobKind.video, .soundtrack] { try await farm.finish(try await farm.take(export, kind: kind)) }
        return export
    }

    /// Puts what ffmpeg makes into the store.
    private func put(_ arguments: [String], _ farm: Farm, _ export: Export, as key: ArtifactKey) async throws {
        let file = media.file("\(key).mp4")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i"] + arguments + [file])
        try farm.putFilm([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), tenant: export.tenant, as: key)
    }

    private func putSound(_ farm: Farm, _ export: Export) async throws {
        try await put(["sine=duration=1:sample_rate=48000", "-c:a", "aac"], farm, export, as: Self.soundKey)
    }

    private func expect(
        _ file: String, of export: Export, _ farm: Farm, _ status: Int, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await farm.send(.get, "/v1/exports/\(export.id)/stream/\(file)")
        #expect(answer.status.code == status, sourceLocation: sourceLocation)
        #expect(answer.fault?.detail == message, sourceLocation: sourceLocation)
    }

    @Test("A film with copied pictures has none before it is complete")
    func copied() async throws {
        let farm = try await Farm()
        let export = try await export(farm, copied: CopiedFilm(ranges: [], isCutByEditList: false, copiesSound: false))
        try await expect(
            "main.m3u8", of: export, farm, 409,
            "a film with pictures that are copied from its sources cannot be played before it is complete")
    }

    @Test("A film with a codec that players do not know by name has none before it is complete")
    func codec() async throws {
        let farm = try await Farm()
        let export = try await export(farm)
        try await put(["testsrc2=size=64x64:rate=24:duration=1", "-c:v", "mpeg4"], farm, export, as: Farm.segmentKey)
        try await putSound(farm, export)
        try await expect(
            "main.m3u8", of: export, farm, 409, "the film's codec cannot be played before the film is complete")
    }

    @Test("A film whose segments have become history has none any more")
    func history() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        #expect(try await farm.store.moveToHistory(endedBefore: Date() + 3600, limit: 1000).movedExports == 1)
        try await expect(
            "main.m3u8", of: export, farm, 409,
            "the export has no stream any more, or makes no film; /film has what it made")
    }

    @Test("A soundtrack or a segment that the film does not have is not found")
    func missingParts() async throws {
        let farm = try await Farm()
        let export = try await export(farm)
        try await putSound(farm, export)
        try await expect(
            "sound-1.m3u8", of: export, farm, 404, "the film has no soundtrack 1: it has 1, counted from 0")
        try await expect(
            "sound-0-99.m4s", of: export, farm, 404,
            "the stream has no such segment; its playlist names those that it has")
        try await expect(
            "pictures-0.m4s", of: export, farm, 404,
            "a segment of the film is no longer in the farm's storage; rerun the export")
    }

    @Test("A segment that is no film is a fault of the farm, and what is wrong with it is said")
    func damaged() async throws {
        let farm = try await Farm()
        let export = try await export(farm)
        try farm.putFilm([0, 0, 0, 9], tenant: export.tenant, as: Farm.segmentKey)
        try await expect(
            "pictures.mp4", of: export, farm, 500, "a segment of the film cannot be read: the file is cut short")
    }
}
