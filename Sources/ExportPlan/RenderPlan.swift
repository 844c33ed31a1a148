public import ExactTime

/// An export as jobs: picture segments, sound segments, the sound's one encoding, and the stitch of all of it.
///
/// Plain values. The local executor and the farm run the same plan and get the same bytes.
public struct RenderPlan: Hashable, Sendable, Codable {
    /// In film order, without gaps.
    public var videoSegments: [VideoSegment]
    /// In film order, without gaps; empty when nothing sounds and nothing should.
    public var audioSegments: [AudioSegment]
    /// Nil of a file that cannot sound.
    public var soundtrack: SoundtrackPlan?
    public var stitch: StitchPlan
    /// Nil where a quality is wanted, and not a size.
    public var bitrate: BitratePlan?

    public init(
        videoSegments: [VideoSegment], audioSegments: [AudioSegment], soundtrack: SoundtrackPlan?, stitch: StitchPlan,
        bitrate: BitratePlan? = nil
    ) {
        self.bitrate = bitrate
        self.videoSegments = videoSegments
        self.audioSegments = audioSegments
        self.soundtrack = soundtrack
        self.stitch = stitch
    }

    /// How many jobs it is.
    public var jobCount: Int {
        let measured = bitrate.map { $0.measures.count + 1 } ?? 0
        return videoSegments.count + measured + audioSegments.count + (soundtrack == nil ? 0 : 1) + 1
    }
}

/// A run of output frames that is rendered and encoded by itself: closed GOPs, an IDR frame first.
public struct VideoSegment: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    /// In the film.
    public var firstFrame: Int
    public var slice: VideoSlice

    public init(key: ArtifactKey, firstFrame: Int, slice: VideoSlice) {
        self.key = key
        self.firstFrame = firstFrame
        self.slice = slice
    }

    /// In the film.
    public var frames: Range<Int> { firstFrame..<(firstFrame + slice.frameCount) }
}

/// What a picture segment shows, written from its own frame 0: the whole input of its content key.
public struct VideoSlice: Hashable, Sendable, Codable {
    public var canvas: FrameSize
    public var frameRate: FrameRate
    public var frameCount: Int
    public var instruction: Instruction
    public var encode: VideoEncodeSettings

    public init(
        canvas: FrameSize, frameRate: FrameRate, frameCount: Int, instruction: Instruction, encode: VideoEncodeSettings
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.instruction = instruction
        self.encode = encode
    }

    public var sources: Set<String> {
        instruction.layers.reduce(into: []) { $0.formUnion($1.sources) }
    }
}

/// A run of output samples that is mixed by itself to 32-bit float PCM.
public struct AudioSegment: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    /// In the film.
    public var firstSample: Int
    public var slice: AudioSlice

    public init(key: ArtifactKey, firstSample: Int, slice: AudioSlice) {
        self.key = key
        self.firstSample = firstSample
        self.slice = slice
    }
}

/// What a sound segment plays, written from its own sample 0: the whole input of its content key.
public struct AudioSlice: Hashable, Sendable, Codable {
    public var sampleRate: Int
    public var channels: Int
    public var sampleCount: Int
    public var inputs: [AudioSliceInput]
    /// What inputs with a `duck` step back for; nil where none has one.
    public var sideChain: SideChain?

    public init(
        sampleRate: Int, channels: Int, sampleCount: Int, inputs: [AudioSliceInput], sideChain: SideChain? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleCount = sampleCount
        self.inputs = inputs
        self.sideChain = sideChain
    }

    public var sources: Set<String> { Set((inputs + (sideChain?.inputs ?? [])).map(\.source)) }
}

/// One sound inside a segment, in whole samples of the output rate.
public struct AudioSliceInput: Hashable, Sendable, Codable {
    /// The time stretcher's work, where there is any.
    public struct Stretch: Hashable, Sendable, Codable {
        /// Source samples (at the output rate) that become `sampleCount` samples.
        public var sourceSampleCount: Int
        /// Semitones.
        public var pitch: Double
        /// Nil where all of it is stretched alike.
        public var legs: [Leg]?
        /// What of the stretched samples plays; nil where all of them do.
        public var window: Window?

        public init(sourceSampleCount: Int, pitch: Double, legs: [Leg]? = nil, window: Window? = nil) {
            self.sourceSampleCount = sourceSampleCount
            self.pitch = pitch
            self.legs = legs
            self.window = window
        }
    }

    /// A part of a sound that is stretched together with its neighbours, as if it had never been cut: `sampleCount` samples from the
    /// window's first on.
    public struct Window: Hashable, Sendable, Codable {
        /// Counted from the first sample that the stretcher makes.
        public var firstSample: Int
        /// Of all that the stretcher makes.
        public var stretchedSampleCount: Int

        public init(firstSample: Int, stretchedSampleCount: Int) {
            self.firstSample = firstSample
            self.stretchedSampleCount = stretchedSampleCount
        }
    }

    /// A stretch at one speed.
    public struct Leg: Hashable, Sendable, Codable {
        public var sampleCount: Int
        public var sourceSampleCount: Int

        public init(sampleCount: Int, sourceSampleCount: Int) {
            self.sampleCount = sampleCount
            self.sourceSampleCount = sourceSampleCount
        }
    }

    public var source: String
    /// Where it starts in the segment.
    public var firstSample: Int
    public var sampleCount: Int
    /// Resampling plays the source at this rate (varispeed); 1 where pitch is kept.
    public var playbackRate: Rational
    /// The first sample that plays, counted from source time 0 at the output rate and `playbackRate`.
    public var sourceSample: Int
    /// Samples play in falling order from `sourceSample`.
    public var reversed: Bool
    /// A speed that changes, and pitch with it (varispeed); nil where it does not.
    public var bend: [Leg]?
    public var stretch: Stretch?
    /// In segment time.
    public var gains: [GainCurve]
    /// How it steps back for the side chain; nil where it does not.
    public var duck: SideChainGain?

    public init(
        source: String, firstSample: Int, sampleCount: Int, playbackRate: Rational, sourceSample: Int, reversed: Bool,
        bend: [Leg]? = nil, stretch: Stretch?, gains: [GainCurve], duck: SideChainGain? = nil
    ) {
        self.source = source
        self.firstSample = firstSample
        self.sampleCount = sampleCount
        self.playbackRate = playbackRate
        self.sourceSample = sourceSample
        self.reversed = reversed
        self.bend = bend
        self.stretch = stretch
        self.gains = gains
        self.duck = duck
    }
}

/// The mixed segments joined as PCM and encoded once, over the film's whole length.
public struct SoundtrackPlan: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    public var encode: AudioEncodeSettings
    public var sampleCount: Int
    /// Nil leaves the mix as it is.
    public var mastering: Mastering?

    public init(key: ArtifactKey, encode: AudioEncodeSettings, sampleCount: Int, mastering: Mastering? = nil) {
        self.key = key
        self.encode = encode
        self.sampleCount = sampleCount
        self.mastering = mastering
    }
}

/// The film's file: packets of all segments copied in order, the encoded sound beside them.
public struct StitchPlan: Hashable, Sendable, Codable {
    public var key: ArtifactKey
    public var frameRate: FrameRate
    public var frameCount: Int
    public var container: ContainerSettings
    /// Nil where there are none.
    public var subtitles: [SubtitleTrack]?
    /// Nil where there are none.
    public var chapters: [Chapter]?
    /// Nil where there is none.
    public var cover: Cover?
    /// What of the film is copied; nil where all of it is rendered.
    public var copied: CopiedFilm?

    public init(
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

    /// Content hashes of the files that it reads.
    public var sources: Set<String> {
        Set((subtitles ?? []).map(\.source) + [cover?.source].compactMap(\.self)).union(copied?.sources ?? [])
    }
}
