public import ArtifactStore
import Documents
public import ExportPlan
public import Media
import Soundtrack
import Vocabulary

/// Runs one job in this process. The child processes of an export and of a farm's worker call it; so do tests.
public struct JobRunner {
    private let store: any ArtifactStore
    private let probeTime: ProbeTimeLimit?

    /// - Parameter probeTime: how long looking at a source may take by the clock; nil for as long as it takes.
    public init(store: any ArtifactStore, probeTime: ProbeTimeLimit? = nil) {
        self.store = store
        self.probeTime = probeTime
    }

    /// - Parameter progress: told the number of finished frames (of a sound: blocks, of a probe: pieces read), rising.
    /// - Throws: `JobFailure` with the class of what went wrong.
    public func run(_ job: RenderJob, progress: (Int) -> Void) throws -> JobResult {
        do {
            switch job {
            case .probe(_, let request?): return JobResult(facts: try fontFacts(request))
            case .probe(let path, nil):
                if let name = PluginLocation.name(of: path) { return JobResult(facts: try pluginFacts(name)) }
                return JobResult(facts: try SourceProbe.facts(ofFile: path, within: probeTime, progress: progress))
            default:
                let sources = try JobSources(job.references)
                do {
                    let result = try run(job, sources, progress)
                    try sources.checkUnchanged()
                    return result
                } catch {
                    // A file that is written to meanwhile fails in many ways; what matters is that it has changed.
                    try sources.checkUnchanged()
                    throw error
                }
            }
        } catch let error as any ClassifiedError {
            var failure = JobFailure(error)
            if let error = error as? MediaError, error.code == .changed { failure.changedSource = error.subject }
            throw failure
        }
    }

    /// Runs work that needs artifacts of earlier jobs. Where one of them is gone or damaged, looks at all of them, so that
    /// they are made again together and not one after the other.
    private func namingAllMissing<Outcome>(of needed: [ArtifactKey], _ work: () throws -> Outcome) throws -> Outcome {
        do {
            return try work()
        } catch var failure as JobFailure {
            guard let named = failure.missingArtifacts else { throw failure }
            let others = try Set(needed).subtracting(named).filter { try store.localFile(for: $0) == nil }
            failure.missingArtifacts = named + others.sorted { $0.text < $1.text }
            throw failure
        }
    }

    private func run(_ job: RenderJob, _ sources: JobSources, _ progress: (Int) -> Void) throws -> JobResult {
        var cost = JobCost()
        var warnings: [SourceWarning] = []
        switch job {
        case .probe: preconditionFailure("a probe has no sources yet")
        case .measure(let segment, _):
            MediaRuntime.useWholeProcessor()
            cost = try measureVideo(segment, sources, into: store, progress)
        case .allocation(let plan):
            try namingAllMissing(of: plan.measures) { try allocateBits(plan, store: store, progress) }
        case .video(let segment, _):
            MediaRuntime.useWholeProcessor()
            (cost, warnings) = try renderVideo(segment, sources, into: store, progress)
        case .audio(let segment, _):
            MediaRuntime.pinVectorUnit()
            warnings = try timed(\.mix, &cost) { try mixAudio(segment, sources, into: store, progress) }
        case .soundtrack(let plan, let segments):
            MediaRuntime.pinVectorUnit()
            warnings = try timed(\.mix, &cost) {
                try namingAllMissing(of: segments) { try encodeSoundtrack(plan, segments, store: store, progress) }
            }
        case .stitch(let plan, let segments, let soundtrack, let output, _):
            let parts = segments.map(\.key) + (soundtrack.map { [$0] } ?? [])
            warnings = try timed(\.stitch, &cost) {
                try namingAllMissing(of: parts) {
                    try join(plan, segments, soundtrack, sources, to: output, try store.warnings(ofAll: parts), progress)
                }
            }
        case .pictures(let sheet, _, let output):
            MediaRuntime.useWholeProcessor()
            try renderPictures(sheet, sources, to: output, progress)
            warnings = sources.damage.warnings
        case .explainVideo(let segment, _):
            MediaRuntime.useWholeProcessor()
            return JobResult(program: try explain(segment.slice, sources.byHash, progress))
        case .explainAudio(let segment, _):
            return JobResult(soundProgram: try SegmentMixer(segment.slice, sources: sources.byHash).program())
        case .waveform(let segments, let request):
            return JobResult(
                peaks: try waveform(try segments.map { try artifact($0, in: store) }, request, progress),
                warnings: try store.warnings(ofAll: segments))
        }
        return JobResult(cost: cost, warnings: warnings)
    }

    /// Joins a film: a file at `output`, or without one an artifact.
    private func join(
        _ plan: StitchPlan, _ segments: [StitchSegment], _ soundtrack: ArtifactKey?, _ sources: JobSources, to output: String?,
        _ inherited: [SourceWarning], _ progress: (Int) -> Void
    ) throws -> [SourceWarning] {
        func write(to path: String) throws {
            if plan.container.fileType.isAnimation {
                try joinAnimation(plan, segments, store: store, output: path, progress)
            } else if let copied = plan.copied, copied.isCutByEditList {
                try copyStretch(plan, copied, soundtrack, sources, store: store, output: path, progress)
            } else {
                try stitch(plan, segments, soundtrack, sources, store: store, output: path, progress)
            }
        }
        guard let output else {
            return try writeArtifact(plan.key, into: store, from: sources, inheriting: inherited) { try write(to: $0) }
        }
        try write(to: output)
        do {
            try sources.checkUnchanged()
        } catch {
            removeFile(output)
            throw error
        }
        return (inherited + sources.damage.warnings).combined
    }
}

private func timed<Outcome>(
    _ part: WritableKeyPath<JobCost, Double>, _ cost: inout JobCost, _ work: () throws -> Outcome
) rethrows -> Outcome {
    let started = ContinuousClock.now
    defer { cost[keyPath: part] += started.duration(to: .now).inSeconds }
    return try work()
}
