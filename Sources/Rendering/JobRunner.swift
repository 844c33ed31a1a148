public import ArtifactStore
import Documents
public import ExportPlan
import Media
import Soundtrack
import Vocabulary

/// Runs one job in this process. The child processes of an export and of a farm's worker call it; so do tests.
public struct JobRunner {
    private let store: any ArtifactStore

    public init(store: any ArtifactStore) {
        self.store = store
    }

    /// - Parameter progress: told the number of finished frames (of a sound: blocks, of a probe: pieces read), rising.
    /// - Throws: `JobFailure` with the class of what went wrong.
    public func run(_ job: RenderJob, progress: (Int) -> Void) throws -> JobResult {
        var cost = JobCost()
        do {
            switch job {
            case .probe(_, let request?): return JobResult(facts: try fontFacts(request))
            case .probe(let path, nil):
                if let name = PluginLocation.name(of: path) { return JobResult(facts: try pluginFacts(name)) }
                return JobResult(facts: try SourceProbe.facts(ofFile: path, progress: progress))
            case .measure(let segment, let sources):
                MediaRuntime.useWholeProcessor()
                return JobResult(cost: try measureVideo(segment, sources.byHash, into: store, progress))
            case .allocation(let plan):
                try namingAllMissing(of: plan.measures) { try allocateBits(plan, store: store, progress) }
            case .video(let segment, let sources):
                MediaRuntime.useWholeProcessor()
                return JobResult(cost: try renderVideo(segment, sources.byHash, into: store, progress))
            case .audio(let segment, let sources):
                MediaRuntime.pinVectorUnit()
                try timed(\.mix, &cost) { try mixAudio(segment, sources.byHash, into: store, progress) }
            case .soundtrack(let plan, let segments):
                MediaRuntime.pinVectorUnit()
                try timed(\.mix, &cost) {
                    try namingAllMissing(of: segments) { try encodeSoundtrack(plan, segments, store: store, progress) }
                }
            case .stitch(let plan, let segments, let soundtrack, let output, let sources):
                func join(to path: String) throws {
                    guard !plan.container.fileType.isAnimation else {
                        return try joinAnimation(plan, segments, store: store, output: path, progress)
                    }
                    let known = (sources ?? []).byHash
                    if let copied = plan.copied, copied.isCutByEditList {
                        return try copyStretch(plan, copied, soundtrack, known, store: store, output: path, progress)
                    }
                    try stitch(plan, segments, soundtrack, known, store: store, output: path, progress)
                }
                try timed(\.stitch, &cost) {
                    try namingAllMissing(of: segments.map(\.key) + (soundtrack.map { [$0] } ?? [])) {
                        if let output { return try join(to: output) }
                        try writeArtifact(plan.key, into: store) { try join(to: $0) }
                    }
                }
            case .pictures(let sheet, let sources, let output):
                MediaRuntime.useWholeProcessor()
                try renderPictures(sheet, sources.byHash, to: output, progress)
            case .explainVideo(let segment, let sources):
                MediaRuntime.useWholeProcessor()
                return JobResult(program: try explain(segment.slice, sources.byHash, progress))
            case .explainAudio(let segment, let sources):
                return JobResult(soundProgram: try SegmentMixer(segment.slice, sources: sources.byHash).program())
            case .waveform(let segments, let request):
                return JobResult(peaks: try waveform(try segments.map { try artifact($0, in: store) }, request, progress))
            }
            return JobResult(cost: cost)
        } catch let error as any ClassifiedError {
            throw JobFailure(error)
        }
    }

    /// Runs work that needs artifacts of earlier jobs. Where one of them is gone or damaged, looks at all of them, so that
    /// they are made again together and not one after the other.
    private func namingAllMissing(of needed: [ArtifactKey], _ work: () throws -> Void) throws {
        do {
            try work()
        } catch var failure as JobFailure {
            guard let named = failure.missingArtifacts else { throw failure }
            let others = try Set(needed).subtracting(named).filter { try store.localFile(for: $0) == nil }
            failure.missingArtifacts = named + others.sorted { $0.text < $1.text }
            throw failure
        }
    }
}

private func timed(_ part: WritableKeyPath<JobCost, Double>, _ cost: inout JobCost, _ work: () throws -> Void) rethrows {
    let started = ContinuousClock.now
    try work()
    cost[keyPath: part] += started.duration(to: .now).inSeconds
}

extension [SourceReference] {
    var byHash: [String: SourceReference] {
        Dictionary(map { ($0.facts.contentHash, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A file that is becoming an artifact: taken into the store when it is complete, else removed.
func writeArtifact(_ key: ArtifactKey, into store: any ArtifactStore, _ write: (String) throws -> Void) throws {
    let path = try store.temporaryFile(for: key)
    do {
        try write(path)
    } catch {
        removeFile(path)
        throw error
    }
    try store.put(path, for: key)
}
