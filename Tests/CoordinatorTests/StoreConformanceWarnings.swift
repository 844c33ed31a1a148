import FarmAPI
import Coordinator
import DraftCompiler
import DraftModel
import ExportPlan
import JobQueue
import Testing

@Suite("Every store: warnings")
struct StoreConformanceWarnings {
    private static let shortened = DraftDiagnostic(
        path: "mainTrackClips[0].timeRange", code: .shortenedRange, severity: .warning, message: "ends behind its source",
        remedy: "shorten it")
    private static let source = SourceFacts.sample("holiday").contentHash
    private static let damage = SourceWarning(
        .frozenPictures, source: source, time: 1.5, count: 66, message: "could not be decoded for 66 frames from 1.5 s on")

    private func plan(_ film: SampleFilm, clip: Int) -> PlannedExport {
        PlannedExport(
            jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount, warnings: [Self.shortened],
            places: SourcePlaces([
                Self.source: [
                    SourcePlaces.Place(path: "mainTrackClips[\(clip)].url", name: "holiday.mp4"),
                    SourcePlaces.Place(path: "mainTrackClips[\(clip + 1)].url", name: "holiday.mp4", start: 2, end: 3),
                    SourcePlaces.Place(path: "mainTrackClips[\(clip + 2)].url", name: "holiday.mp4", start: 1, end: 2),
                ]
            ]))
    }

    @Test(
        "An export has the warnings of its plan and film, placed in its own draft, reused or not",
        arguments: StoreKind.allCases)
    func warnings(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for clip in [0, 3] {
                let id = try await farm.probing([])
                try await farm.store.startRendering(id, plan(SampleFilm(), clip: clip))
                #expect(try await farm.export(id).warnings == [Self.shortened])
                while try await farm.job(id, .stitch).state != .ready {
                    for ticket in try await farm.dispatchAll() { try await farm.finish(ticket) }
                }
                try await farm.report(
                    try await farm.dispatch(id, .stitch),
                    .finished(result: JobResult(warnings: [Self.damage]), reused: clip == 3))
                let export = try await farm.export(id)
                #expect(export.state == .completed && export.warnings.count == 3)
                #expect(export.warnings.last?.path == "mainTrackClips[\(clip + 2)].url")
                let found = try #require(export.warnings.dropFirst().first)
                #expect(found.path == "mainTrackClips[\(clip)].url" && found.code == .damagedSource && found.severity == .warning)
                #expect(found.message == "'holiday.mp4' could not be decoded for 66 frames from 1.5 s on")
                #expect(found.remedy?.isEmpty == false)
                let listed = try await farm.store.exports(ExportFilter(tenant: farm.tenant, state: .completed, limit: 1))
                #expect(listed.first?.warnings == export.warnings)
            }
        }
    }
}
