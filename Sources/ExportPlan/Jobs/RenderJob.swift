/// One job for one rendering process. It contains everything that the process needs, except the store and the sources'
/// bytes.
package enum RenderJob: Hashable, Sendable, Codable {
    /// Probes a source, or answers a font request.
    case probe(path: String, fonts: FontRequest? = nil)
    /// Renders a picture segment and measures the bits that it takes.
    case measure(segment: VideoSegment, sources: [SourceReference] = [])
    /// Allocates a film's bits to its segments.
    case allocation(plan: AllocationPlan)
    /// Renders and encodes a picture segment into the store.
    case video(segment: VideoSegment, sources: [SourceReference] = [])
    /// Mixes a sound segment into the store.
    case audio(segment: AudioSegment, sources: [SourceReference] = [])
    /// Joins and encodes the sound segments into the store, or a part of them.
    case soundtrack(plan: SoundtrackPlan, segments: [ArtifactKey], part: SoundtrackPart? = nil)
    /// Joins everything into the film, which is written to `output`, or becomes an artifact in the store where that is
    /// nil.
    case stitch(
        plan: StitchPlan, segments: [StitchSegment], soundtrack: ArtifactKey?, output: String?, sources: [SourceReference]? = nil)
    /// Renders single frames into one picture file in the store.
    case picture(plan: PicturePlan, sources: [SourceReference] = [])
    /// Explains how a picture segment is made, without making it.
    case explainVideo(segment: VideoSegment, sources: [SourceReference] = [])
    /// Explains how a sound segment is made, without making it.
    case explainAudio(segment: AudioSegment, sources: [SourceReference] = [])
    /// Finds the peaks of a mix, for a waveform.
    case waveform(segments: [ArtifactKey], request: WaveformRequest)
    /// A no-op job, of which `spool bench` makes its exports. A worker ends it at once with a success, without a
    /// rendering process and without an artifact. No plan of a draft has one.
    case noOp
}

extension RenderJob {
    /// The names of the sources whose bytes the job reads. None for a probe, since its source has no hash yet.
    package var sources: Set<String> {
        switch self {
        case .measure(let segment, _), .video(let segment, _), .explainVideo(let segment, _): segment.slice.sources
        case .audio(let segment, _), .explainAudio(let segment, _): segment.slice.sources
        case .picture(let plan, _): plan.sheet.sources
        case .stitch(let plan, _, _, _, _): plan.sources
        case .probe, .allocation, .soundtrack, .waveform, .noOp: []
        }
    }

    /// The addresses from which a probe's files have to be fetched.
    package var remoteLocations: [String] {
        guard case .probe(let location, let fonts) = self else { return [] }
        return (fonts.map(\.fileLocations) ?? [location]).filter { RemoteLocation.matches($0) }
    }

    /// The artifacts that the job reads.
    package var artifacts: [ArtifactKey] {
        switch self {
        case .measure, .audio, .probe, .picture, .explainVideo, .explainAudio, .noOp: return []
        case .video(let segment, _):
            guard case .share(_, let allocation, let measure, _) = segment.slice.encode.rate else { return [] }
            return [allocation, measure]
        case .allocation(let plan): return plan.measures + (plan.limit?.soundtracks ?? [])
        case .soundtrack(_, let segments, _), .waveform(let segments, _): return segments
        case .stitch(_, let segments, _, _, _): return segments.map(\.key) + stitchedSounds.flatMap { $0.map(\.key) }
        }
    }

    /// The encoded sound tracks that a stitch reads, each as its parts; empty for other jobs.
    package var stitchedSounds: [[SoundContinuation]] {
        guard case .stitch(let plan, _, let soundtrack, _, _) = self else { return [] }
        let firsts = (soundtrack.map { [$0] } ?? []) + (plan.sounds?.others ?? []).map(\.key)
        return firsts.enumerated().map { index, key in
            let continuations = plan.soundContinuations.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? []
            return [SoundContinuation(key: key, firstSample: 0)] + continuations
        }
    }

    /// The source references that the job carries.
    package var references: [SourceReference] {
        switch self {
        case .measure(_, let sources), .video(_, let sources), .audio(_, let sources), .picture(_, let sources),
            .explainVideo(_, let sources), .explainAudio(_, let sources):
            sources
        case .stitch(_, _, _, _, let sources): sources ?? []
        case .probe, .allocation, .soundtrack, .waveform, .noOp: []
        }
    }

    /// Whether the job decodes pictures to compose others of them.
    package var decodesPictures: Bool {
        switch self {
        case .measure, .video, .picture, .explainVideo: true
        case .probe, .allocation, .audio, .soundtrack, .stitch, .explainAudio, .waveform, .noOp: false
        }
    }

    /// The plug-ins that the job runs, as the end of a message about a rendering process that died; empty where there
    /// are none.
    package var pluginNote: String {
        let names: [String]
        switch self {
        case .probe(let location, _): names = [PluginLocation.name(of: location)].compactMap { $0 }
        case .measure(_, let sources), .video(_, let sources), .picture(_, let sources), .explainVideo(_, let sources):
            names = sources.compactMap(\.facts.plugin?.name)
        case .audio(let segment, _), .explainAudio(let segment, _):
            names = Set(segment.slice.plugins.map(\.name)).sorted()
        case .soundtrack(let plan, _, _): names = Set((plan.filters ?? []).plugins.map(\.name)).sorted()
        case .allocation, .stitch, .waveform, .noOp: names = []
        }
        return names.isEmpty ? "" : " while it ran the plug-in \(names.map { "'\($0)'" }.joined(separator: " or "))"
    }

    /// The same job with references to all sources that it reads.
    ///
    /// - Parameter known: source references by content hash.
    package func with(sourcesAmong known: [String: SourceReference]) -> RenderJob {
        with(sources: sources.sorted().compactMap { known.reference(named: $0) })
    }

    /// The same job with these source references.
    package func with(sources: [SourceReference]) -> RenderJob {
        switch self {
        case .measure(let segment, _): .measure(segment: segment, sources: sources)
        case .video(let segment, _): .video(segment: segment, sources: sources)
        case .audio(let segment, _): .audio(segment: segment, sources: sources)
        case .picture(let plan, _): .picture(plan: plan, sources: sources)
        case .explainVideo(let segment, _): .explainVideo(segment: segment, sources: sources)
        case .explainAudio(let segment, _): .explainAudio(segment: segment, sources: sources)
        case .stitch(let plan, let segments, let soundtrack, let output, _):
            .stitch(
                plan: plan, segments: segments, soundtrack: soundtrack, output: output, sources: sources.isEmpty ? nil : sources)
        case .probe, .allocation, .soundtrack, .waveform, .noOp: self
        }
    }

    /// The same job with a place for the film's file, where the job is a stitch.
    package func with(output: String) -> RenderJob {
        guard case .stitch(let plan, let segments, let soundtrack, _, let sources) = self else { return self }
        return .stitch(plan: plan, segments: segments, soundtrack: soundtrack, output: output, sources: sources)
    }

    /// The same job with the locations of its sources replaced by paths.
    package func resolvingPaths(_ path: (String) throws -> String) rethrows -> RenderJob {
        func resolve(_ sources: [SourceReference]) throws -> [SourceReference] {
            try sources.map { SourceReference(facts: $0.facts, path: try path($0.path)) }
        }
        switch self {
        case .probe(let location, nil): return .probe(path: try path(location))
        case .probe(let location, let request?): return .probe(path: location, fonts: try request.resolvingPaths(path))
        case .measure(_, let sources), .video(_, let sources), .audio(_, let sources), .picture(_, let sources),
            .explainVideo(_, let sources), .explainAudio(_, let sources):
            return with(sources: try resolve(sources))
        case .stitch(_, _, _, _, let sources): return with(sources: try resolve(sources ?? []))
        case .allocation, .soundtrack, .waveform, .noOp: return self
        }
    }
}

/// What the stitch has to know about a picture segment.
package struct StitchSegment: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    package var frameCount: Int

    package init(key: ArtifactKey, frameCount: Int) {
        self.key = key
        self.frameCount = frameCount
    }
}
