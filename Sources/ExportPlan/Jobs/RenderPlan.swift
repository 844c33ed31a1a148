package import ExactTime

/// An export as jobs: picture segments, sound segments, the encoding of the soundtrack, the stitch that joins everything,
/// and pictures beside the film.
///
/// It is a plain value. The local executor and the farm run the same plan and get the same bytes.
package struct RenderPlan: Hashable, Sendable, Codable {
    /// The picture segments in film order, without gaps.
    package var videoSegments: [VideoSegment]
    /// The sound segments in film order, without gaps; empty for a file without sound.
    package var audioSegments: [AudioSegment]
    /// Nil for a file type without sound, such as GIF.
    package var soundtrack: SoundtrackPlan?
    /// The sound tracks beside the first; nil where there are none.
    package var furtherSoundtracks: [FurtherSoundtrack]?
    package var stitch: StitchPlan
    /// Nil where the film is encoded for a quality instead of a size.
    package var bitrate: BitratePlan?
    /// Nil where no pictures are wanted beside the film.
    package var pictures: FilmPicturesPlan?

    package init(
        videoSegments: [VideoSegment], audioSegments: [AudioSegment], soundtrack: SoundtrackPlan?, stitch: StitchPlan,
        bitrate: BitratePlan? = nil, pictures: FilmPicturesPlan? = nil
    ) {
        self.pictures = pictures
        self.bitrate = bitrate
        self.videoSegments = videoSegments
        self.audioSegments = audioSegments
        self.soundtrack = soundtrack
        self.stitch = stitch
    }

    /// The number of jobs.
    package var jobCount: Int {
        let measured = bitrate.map { $0.measures.count + 1 } ?? 0
        let encoded = Set(allSoundtracks.flatMap(\.plan.artifacts))
        return videoSegments.count + measured + allAudioSegments.count + encoded.count + 1 + (pictures?.files.count ?? 0)
    }

    /// The sound segments of all sound tracks. Tracks with the same sound at some time have the same segments then.
    package var allAudioSegments: [AudioSegment] {
        guard let furtherSoundtracks else { return audioSegments }
        var seen: Set<ArtifactKey> = []
        return (audioSegments + furtherSoundtracks.flatMap(\.segments)).filter { seen.insert($0.key).inserted }
    }

    /// The soundtracks that are encoded, each once, with the keys of their segments. Two of them may have parts in common.
    package var allSoundtracks: [(plan: SoundtrackPlan, segments: [ArtifactKey])] {
        var seen: Set<[ArtifactKey]> = []
        let first = soundtrack.map { [($0, audioSegments.map(\.key))] } ?? []
        let all = first + (furtherSoundtracks ?? []).map { ($0.plan, $0.segments.map(\.key)) }
        return all.filter { seen.insert($0.0.artifacts).inserted }
    }
}

/// Frames of the film that are rendered and encoded together: closed GOPs that begin with an IDR frame.
package struct VideoSegment: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    /// The number of the segment's first frame in the film.
    package var firstFrame: Int
    package var slice: VideoSlice

    package init(key: ArtifactKey, firstFrame: Int, slice: VideoSlice) {
        self.key = key
        self.firstFrame = firstFrame
        self.slice = slice
    }

    /// The segment's frame numbers in the film.
    package var frames: Range<Int> { firstFrame..<(firstFrame + slice.frameCount) }
}

/// What a picture segment shows, with times counted from its own frame 0: the whole input of its content key.
package struct VideoSlice: Hashable, Sendable, Codable {
    package var canvas: FrameSize
    package var frameRate: FrameRate
    package var frameCount: Int
    package var instruction: Instruction
    package var encode: VideoEncodeSettings

    package init(
        canvas: FrameSize, frameRate: FrameRate, frameCount: Int, instruction: Instruction, encode: VideoEncodeSettings
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.instruction = instruction
        self.encode = encode
    }

    package var sources: Set<String> {
        instruction.layers.reduce(into: []) { $0.formUnion($1.sources) }
    }
}

/// Samples of the film that are mixed together, to 32-bit float PCM.
package struct AudioSegment: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    /// The number of the segment's first sample in the film.
    package var firstSample: Int
    package var slice: AudioSlice

    package init(key: ArtifactKey, firstSample: Int, slice: AudioSlice) {
        self.key = key
        self.firstSample = firstSample
        self.slice = slice
    }
}

/// What a sound segment plays, with times counted from its own sample 0: the whole input of its content key.
package struct AudioSlice: Hashable, Sendable, Codable {
    package var sampleRate: Int
    package var channels: Int
    package var sampleCount: Int
    package var inputs: [AudioSliceInput]
    /// The groups of sounds that have a volume, a pan or filters; nil where there are none.
    package var groups: [AudioSliceGroup]?
    /// The sound that inputs with a `duck` are ducked for; nil where there are none.
    package var sideChain: SideChain?

    package init(
        sampleRate: Int, channels: Int, sampleCount: Int, inputs: [AudioSliceInput], groups: [AudioSliceGroup]? = nil,
        sideChain: SideChain? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleCount = sampleCount
        self.inputs = inputs
        self.groups = groups
        self.sideChain = sideChain
    }
}

/// One sound inside a segment, in whole samples of the output rate.
package struct AudioSliceInput: Hashable, Sendable, Codable {
    /// The settings of the time stretcher.
    package struct TimeStretch: Hashable, Sendable, Codable {
        /// Source samples, at the output rate, that are stretched to `sampleCount` samples.
        package var sourceSampleCount: Int
        /// The change of pitch, in semitones.
        package var pitch: Double
        /// The parts with different speeds; nil where the speed is constant.
        package var speedRanges: [SpeedRange]?
        /// Which of the stretched samples play; nil where all of them do.
        package var window: Window?

        package init(sourceSampleCount: Int, pitch: Double, speedRanges: [SpeedRange]? = nil, window: Window? = nil) {
            self.sourceSampleCount = sourceSampleCount
            self.pitch = pitch
            self.speedRanges = speedRanges
            self.window = window
        }
    }

    /// A window of a sound that is time-stretched together with its neighbours, as if it had never been cut. The window
    /// has the input's `sampleCount` samples.
    package struct Window: Hashable, Sendable, Codable {
        /// The window's first sample, counted from the first sample of the stretcher's output.
        package var firstSample: Int
        /// The length of the stretcher's whole output.
        package var stretchedSampleCount: Int

        package init(firstSample: Int, stretchedSampleCount: Int) {
            self.firstSample = firstSample
            self.stretchedSampleCount = stretchedSampleCount
        }
    }

    /// A part of the input that plays at one speed.
    package struct SpeedRange: Hashable, Sendable, Codable {
        package var sampleCount: Int
        package var sourceSampleCount: Int

        package init(sampleCount: Int, sourceSampleCount: Int) {
            self.sampleCount = sampleCount
            self.sourceSampleCount = sourceSampleCount
        }
    }

    package var source: String
    /// The sample of the segment at which the input starts.
    package var firstSample: Int
    package var sampleCount: Int
    /// The factor on the rate at which the source is resampled (varispeed); 1 where the pitch is kept.
    package var playbackRate: Rational
    /// The first source sample that plays, counted from source time 0 at the output rate and `playbackRate`.
    package var sourceSample: Int
    /// Whether samples play in falling order from `sourceSample`.
    package var reversed: Bool
    /// The parts of a varispeed input whose speed, and thus pitch, changes; nil where it is constant.
    package var varispeed: [SpeedRange]?
    package var timeStretch: TimeStretch?
    /// Gain curves in segment time.
    package var gains: [GainCurve]
    /// Where it stands, in segment time: a curve from 0 (left) over 1 (middle) to 2 (right); nil where it is not moved.
    package var pan: GainCurve?
    /// Filters before the gains, in order; nil where there are none.
    package var filters: [SoundFilter]?
    /// How the input is ducked for the side chain; nil where it is not.
    package var duck: SideChainGain?
    /// Whether the input is read from its start although the segment begins later, because its samples depend on that; nil
    /// where they do not.
    package var fromStart: Bool?

    package init(
        source: String, firstSample: Int, sampleCount: Int, playbackRate: Rational, sourceSample: Int, reversed: Bool,
        varispeed: [SpeedRange]? = nil, timeStretch: TimeStretch?, gains: [GainCurve], pan: GainCurve? = nil,
        filters: [SoundFilter]? = nil, duck: SideChainGain? = nil
    ) {
        self.pan = pan
        self.filters = filters
        self.source = source
        self.firstSample = firstSample
        self.sampleCount = sampleCount
        self.playbackRate = playbackRate
        self.sourceSample = sourceSample
        self.reversed = reversed
        self.varispeed = varispeed
        self.timeStretch = timeStretch
        self.gains = gains
        self.duck = duck
    }
}

/// The encoding of a soundtrack: the mixed segments are joined as PCM and encoded, as a whole or in parts.
package struct SoundtrackPlan: Hashable, Sendable, Codable {
    /// The artifact of the encoded soundtrack, or of its first part.
    package var key: ArtifactKey
    package var encode: AudioEncodeSettings
    package var sampleCount: Int
    /// Nil leaves the mix as it is.
    package var mastering: Mastering?
    /// Filters of the mix before it is mastered, in order; nil where there are none.
    package var filters: [SoundFilter]?
    /// The parts that are encoded by jobs of their own; nil where one job encodes the whole.
    package var parts: [SoundtrackPart]?

    package init(
        key: ArtifactKey, encode: AudioEncodeSettings, sampleCount: Int, mastering: Mastering? = nil,
        filters: [SoundFilter]? = nil, parts: [SoundtrackPart]? = nil
    ) {
        self.parts = parts
        self.filters = filters
        self.key = key
        self.encode = encode
        self.sampleCount = sampleCount
        self.mastering = mastering
    }
}

extension SoundtrackPlan {
    /// The artifacts of the encoded soundtrack, in the order of the film.
    package var artifacts: [ArtifactKey] { parts?.map(\.key) ?? [key] }

    /// The parts behind the first one; nil where one job encodes the whole.
    package var continuations: [SoundContinuation]? {
        parts?.dropFirst().map { SoundContinuation(key: $0.key, firstSample: $0.firstSample) }
    }

    /// The jobs that encode it.
    /// - Parameter segments: the keys of all mixed segments.
    package func jobs(_ segments: [ArtifactKey]) -> [(key: ArtifactKey, work: RenderJob)] {
        guard let parts else { return [(key, .soundtrack(plan: self, segments: segments))] }
        return parts.map { part in
            let plan = SoundtrackPlan(key: part.key, encode: encode, sampleCount: part.sampleCount)
            return (part.key, .soundtrack(plan: plan, segments: Array(segments[part.segments]), part: part))
        }
    }
}

/// The film's file: the packets of all segments are copied in order, with the encoded sound beside them.
package struct StitchPlan: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    package var frameRate: FrameRate
    package var frameCount: Int
    package var container: ContainerSettings
    /// Nil where the film has no subtitles.
    package var subtitles: [SubtitleTrack]?
    /// Nil where the film has no chapters.
    package var chapters: [Chapter]?
    /// Nil where the film has no cover.
    package var cover: Cover?
    /// The copied ranges; nil where the whole film is rendered.
    package var copied: CopiedFilm?
    /// The renditions of a stream; nil for other films.
    package var stream: StreamPlan?
    /// The sound tracks; nil where there is only one, without tags.
    package var sounds: StitchedSounds?
    /// For each sound track its parts behind the first one; nil where each is a single artifact.
    package var soundContinuations: [[SoundContinuation]]?

    package init(
        key: ArtifactKey, frameRate: FrameRate, frameCount: Int, container: ContainerSettings, subtitles: [SubtitleTrack]? = nil,
        chapters: [Chapter]? = nil, cover: Cover? = nil, copied: CopiedFilm? = nil
    ) {
        self.copied = copied
        self.key = key
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.container = container
        self.subtitles = subtitles
        self.chapters = chapters
        self.cover = cover
    }

    /// The content hashes of the files that the stitch reads.
    package var sources: Set<String> {
        Set((subtitles ?? []).map(\.source) + [cover?.source].compactMap(\.self)).union(copied?.sources ?? [])
    }
}
