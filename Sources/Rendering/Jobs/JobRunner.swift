package import ArtifactStore
import Compositor
package import ExportPlan
package import Media
import Soundtrack
import Vocabulary

/// Runs one job in this process. The rendering processes of local exports and of workers use it, and so do tests.
package struct JobRunner {
    private let store: any ArtifactStore
    private let probeTime: ProbeTimeLimit?
    private let decoderThreads: Int

    /// - Parameters:
    ///   - probeTime: the limit on the wall time of a probe; nil for no limit.
    ///   - decoderThreads: the most threads that decode a source; results are the same whatever their number.
    package init(store: any ArtifactStore, probeTime: ProbeTimeLimit? = nil, decoderThreads: Int = 1) {
        self.store = store
        self.decoderThreads = decoderThreads
        self.probeTime = probeTime
    }

    /// - Parameter progress: called with a rising number of finished units: frames, blocks of a sound, or chunks read
    ///   by a probe.
    /// - Throws: `JobFailure` with the failure class.
    package func run(_ job: RenderJob, progress: (Int) -> Void) throws -> JobResult {
        do {
            switch job {
            case .probe(_, let request?): return JobResult(facts: try fontFacts(request))
            case .probe(let path, nil):
                if let name = PluginLocation.name(of: path) { return JobResult(facts: try pluginFacts(name)) }
                return JobResult(facts: try SourceProbe.facts(ofFile: path, within: probeTime, progress: progress))
            default:
                let sources = try JobSources(job.references, decoderThreads: decoderThreads)
                do {
                    let result = try run(job, sources, progress)
                    try sources.checkUnchanged()
                    return result
                } catch {
                    // A file that is written to during the job causes many kinds of errors; the change is the one to
                    // report.
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

    /// Runs work that needs artifacts of earlier jobs. Where one of them is missing or damaged, it checks all of them,
    /// so that they are made again together instead of one after the other.
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
            try namingAllMissing(of: job.artifacts) { try allocateBits(plan, store: store, progress) }
        case .video(let segment, _):
            MediaRuntime.useWholeProcessor()
            (cost, warnings) = try renderVideo(segment, sources, into: store, progress)
        case .audio(let segment, _):
            MediaRuntime.pinVectorUnit()
            warnings = try timed(\.mix, &cost) { try mixAudio(segment, sources, into: store, progress) }
        case .soundtrack(let plan, let segments, let part):
            MediaRuntime.pinVectorUnit()
            warnings = try timed(\.mix, &cost) {
                try namingAllMissing(of: segments) { try encodeSoundtrack(plan, segments, part, store: store, progress) }
            }
        case .stitch(let plan, let segments, _, let output, _):
            let parts = job.artifacts
            warnings = try timed(\.stitch, &cost) {
                try namingAllMissing(of: parts) {
                    try join(plan, segments, job.stitchedSounds, sources, to: output, try store.warnings(ofAll: parts), progress)
                }
            }
        case .picture(let plan, _):
            MediaRuntime.useWholeProcessor()
            warnings = try timed(\.compose, &cost) { try renderPicture(plan, sources, into: store, progress) }
        case .explainVideo(let segment, _):
            MediaRuntime.useWholeProcessor()
            return JobResult(explanation: try explain(segment.slice, sources.byHash, progress))
        case .explainAudio(let segment, _):
            let libraries = try soundLibraries(of: segment.slice.plugins)
            let mixer = SegmentMixer(segment.slice, sources: sources.byHash, libraries: libraries)
            return JobResult(explanation: try mixer.explanation())
        case .waveform(let segments, let request):
            return JobResult(
                peaks: try waveform(try segments.map { try artifact($0, in: store) }, request, progress),
                warnings: try store.warnings(ofAll: segments))
        case .noOp: break  // workers end it without a rendering process
        }
        return JobResult(cost: cost, warnings: warnings)
    }

    /// Joins a film into a file at `output`, or into an artifact where `output` is nil.
    private func join(
        _ plan: StitchPlan, _ segments: [StitchSegment], _ sounds: [[SoundContinuation]], _ sources: JobSources,
        to output: String?, _ inherited: [SourceWarning], _ progress: (Int) -> Void
    ) throws -> [SourceWarning] {
        func write(to path: String) throws {
            let content = plan.container.fileType.format.content
            if content == .animation {
                try joinAnimation(plan, segments, store: store, output: path, progress)
            } else if content == .sequence {
                try joinPictures(plan, segments, store: store, output: path, progress)
            } else if let stream = plan.stream {
                let job = StreamJob(plan, stream, store)
                try job.write(segments, sounds, sources, to: path, progress)
            } else if let copied = plan.copied, copied.isCutByEditList {
                try copyRange(plan, copied, sounds, sources, store: store, output: path, progress)
            } else {
                try stitch(plan, segments, sounds, sources, store: store, output: path, progress)
            }
            try checkSize(ofFile: path, plan.container)
        }
        guard let output else {
            return try writeArtifact(plan.key, into: store, from: sources, inheriting: inherited) { try write(to: $0) }
        }
        do {
            try write(to: output)
            try sources.checkUnchanged()
        } catch {
            removeFile(output)
            throw error
        }
        return (inherited + sources.damage.warnings).combined
    }
}

/// Checks that a film's file is not larger than it may be.
/// - Throws: `JobFailure` of class `input`, because pictures that no encoder makes smaller are the draft's.
private func checkSize(ofFile path: String, _ container: ContainerSettings) throws {
    guard let limit = container.fileSizeLimit else { return }
    let size = try SourceFile(path: path).byteCount
    guard size > limit else { return }
    throw JobFailure(
        .input, subject: "fileSizeLimit",
        message: "of \(limit) bytes cannot be met: at the lowest quality the film has \(size) bytes; "
            + "give a larger one, or a smaller picture")
}

private func timed<Outcome>(
    _ part: WritableKeyPath<JobCost, Double>, _ cost: inout JobCost, _ work: () throws -> Outcome
) rethrows -> Outcome {
    let started = ContinuousClock.now
    defer { cost[keyPath: part] += started.duration(to: .now).inSeconds }
    return try work()
}
