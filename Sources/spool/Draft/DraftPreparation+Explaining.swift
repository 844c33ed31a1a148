import CommandLineInterface
import ExportPlan
import RenderingProcesses
import FoundationEssentials

/// The explanation of each segment of a prepared draft, in the order of the plan's segments.
struct PlanExplanation {
    let pictures: [Result<Explanation, CommandFailure>]
    let sounds: [Result<Explanation, CommandFailure>]
}

/// The explanation of one segment, as `spool plan --explain --json` prints it.
struct ExplainedSegment: Encodable {
    var key: ArtifactKey
    /// The first frame or sample of the segment in the film.
    var first: Int
    var count: Int
    /// The explanation; nil when the renderer failed to give one.
    var explanation: Explanation?
}

/// The output of `spool plan --explain --json`: the plan and the explanation of each segment.
struct ExplainedPlan: Encodable {
    var plan: RenderPlan
    var video: [ExplainedSegment]
    var audio: [ExplainedSegment]
}

extension DraftPreparation {
    /// Asks the renderer how it would make each segment. A failure for one segment leaves the others' explanations
    /// intact.
    func explanation() async throws -> PlanExplanation {
        let jobs =
            plan.videoSegments.map { RenderJob.explainVideo(segment: $0) }
            + plan.allAudioSegments.map { RenderJob.explainAudio(segment: $0) }
        let outcomes = try await pool.runEach(jobs.map { JobGraph.Node($0.with(sourcesAmong: sources)) })
        let explanations: [Result<Explanation, CommandFailure>] = outcomes.map { outcome in
            switch outcome {
            case .success(let result):
                guard let found = result.explanation else { preconditionFailure("an explained segment has an explanation") }
                return .success(found)
            case .failure(let failure):
                return .failure(CommandFailure(failure, places: places[failure.subject] ?? []))
            }
        }
        let pictureCount = plan.videoSegments.count
        return PlanExplanation(
            pictures: Array(explanations.prefix(pictureCount)), sounds: Array(explanations.dropFirst(pictureCount)))
    }

    /// The file names of the sources, for people, by content hash.
    var sourceNames: [String: String] {
        sources.mapValues { URL(fileURLWithPath: $0.path).lastPathComponent }
    }
}
