import ExportPlan
import RenderingProcesses

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How each segment of a prepared draft is made.
struct PlanExplanation {
    /// In the order of the plan's segments.
    let pictures: [Result<SegmentProgram, CommandFailure>]
    let sounds: [Result<SoundProgram, CommandFailure>]
}

/// The explanation of one segment, as `spool plan --explain --json` prints it.
struct ExplainedSegment<Program: Encodable>: Encodable {
    var key: ArtifactKey
    /// Frames or samples, in the film.
    var first: Int
    var count: Int
    /// Nil where it cannot be told.
    var program: Program?
}

/// What `spool plan --explain --json` prints: the plan, and how each of its segments is made.
struct ExplainedPlan: Encodable {
    var plan: RenderPlan
    var video: [ExplainedSegment<SegmentProgram>]
    var audio: [ExplainedSegment<SoundProgram>]
}

extension DraftPreparation {
    /// Asks the renderer how it would make each segment; one that cannot be made does not keep the others from being told.
    func explanation() async throws -> PlanExplanation {
        let jobs =
            plan.videoSegments.map { RenderJob.explainVideo(segment: $0) }
            + plan.audioSegments.map { RenderJob.explainAudio(segment: $0) }
        let outcomes = try await pool.runEach(jobs.map { JobGraph.Node($0.with(sourcesAmong: sources)) })
        func programs<Program>(
            _ outcomes: some Sequence<Result<JobResult, JobFailure>>, _ program: (JobResult) -> Program?
        ) -> [Result<Program, CommandFailure>] {
            outcomes.map { outcome in
                switch outcome {
                case .success(let result):
                    guard let found = program(result) else { preconditionFailure("an explained segment has a program") }
                    return .success(found)
                case .failure(let failure):
                    return .failure(CommandFailure(failure, places: places[failure.subject] ?? []))
                }
            }
        }
        let pictureCount = plan.videoSegments.count
        return PlanExplanation(
            pictures: programs(outcomes.prefix(pictureCount)) { $0.program },
            sounds: programs(outcomes.dropFirst(pictureCount)) { $0.soundProgram })
    }

    /// What people call the sources, by content hash: their files' names.
    var sourceNames: [String: String] {
        sources.mapValues { URL(fileURLWithPath: $0.path).lastPathComponent }
    }
}
