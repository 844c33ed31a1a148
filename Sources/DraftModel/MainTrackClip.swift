public import ExactTime
public import Vocabulary

/// A clip of the main track: clips play one after another, joined by transitions that overlap them.
public struct MainTrackClip: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case av, image }

    public var id: String?
    public var type: Kind
    public var url: String
    /// `av`: what plays, in source time, before speed and reverse.
    public var timeRange: TimeRange?
    /// `av`: instead of `speed`.
    public var durationAtMainTrack: MediaTime?
    /// `image`: how long it stands.
    public var duration: MediaTime?
    /// `av`: 0.1...16, all the time or by a curve.
    public var speed: ClipSpeed?
    public var reverse: Bool?
    /// `av`: whether neighbouring frames of the source are mixed where a frame of the film lies between them.
    public var frameBlending: Bool?
    /// Linear gain, 0...8.
    public var volume: Double?
    public var volumeRamps: [VolumeRamp]?
    public var muted: Bool?
    public var timePitchAlgorithm: TimePitchAlgorithm?
    /// Semitones, -24...24.
    public var pitch: Double?
    /// Replaces the file's own orientation.
    public var preferredTransform: PreferredTransform?
    /// Pixels (or fractions) of the rotated source.
    public var cropRect: Rect?
    public var scalingMode: ScalingMode?
    /// On top of the scaling mode.
    public var transform: Transform?
    /// 0...1, over the background.
    public var opacity: Double?
    /// On this clip only, in order.
    public var filters: [Filter]?
    /// Keyframes, in clip time.
    public var animations: [Animation]?
    /// How this clip is joined to the one before it.
    public var transition: Transition?

    public init(type: Kind, url: String) {
        self.type = type
        self.url = url
    }
}

/// How fast a clip plays.
public enum ClipSpeed: Hashable, Sendable, Encodable {
    case constant(Rational)
    /// Over the clip's own source time: seconds from the start of its `timeRange`.
    case curve(KeyedCurve)

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .constant(let speed): try speed.encode(to: encoder)
        case .curve(let curve): try curve.encode(to: encoder)
        }
    }
}

/// What happens to pitch when the speed changes.
public enum TimePitchAlgorithm: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Pitch is kept.
    case spectral
    /// Pitch follows speed, as with a tape.
    case varispeed
}

/// A clip's orientation: mirrored left to right first, then turned clockwise.
public struct PreferredTransform: Hashable, Sendable, Encodable {
    /// Degrees clockwise: 0, 90, 180 or 270.
    public var rotation: Int?
    public var mirrored: Bool?

    public init(rotation: Int? = nil, mirrored: Bool? = nil) {
        self.rotation = rotation
        self.mirrored = mirrored
    }
}

/// A linear change of volume over a stretch of the clip, in clip time; multiplied with `volume`.
public struct VolumeRamp: Hashable, Sendable, Encodable {
    public var timeRange: TimeRange
    public var startVolume: Double
    public var endVolume: Double

    public init(timeRange: TimeRange, startVolume: Double, endVolume: Double) {
        self.timeRange = timeRange
        self.startVolume = startVolume
        self.endVolume = endVolume
    }
}

/// The overlap of a clip with the one before it.
public struct Transition: Hashable, Sendable, Encodable {
    /// How the two sounds are joined.
    public enum Audio: Hashable, Sendable {
        /// The old sound goes and the new one comes along a curve. Of straight lines, `crossfade`, the gains add up to one; of quarters of
        /// a sine, `equalPower`, the powers.
        case curve(FadeCurve)
        /// The old sound ends and the new one starts in the middle of the overlap.
        case cut

        public static let crossfade = Audio.curve(.tri)
        public static let equalPower = Audio.curve(.qsin)
    }

    public var type: TransitionKind
    public var duration: MediaTime
    public var audio: Audio?
    /// `lumaMap`: the greyscale picture.
    public var url: String?
    /// `lumaMap`: 0...1.
    public var softness: Double?
    /// `lumaMap`: white first.
    public var inverted: Bool?

    public init(type: TransitionKind, duration: MediaTime, audio: Audio? = nil) {
        self.type = type
        self.duration = duration
        self.audio = audio
    }
}

extension Transition.Audio: RawRepresentable, CaseIterable, Encodable {
    public static let allCases =
        [crossfade, equalPower, .cut] + FadeCurve.allCases.filter { $0 != .tri && $0 != .qsin }.map { .curve($0) }

    /// The names of acrossfade's curves, and three of this specification.
    public init?(rawValue: String) {
        switch rawValue {
        case "crossfade": self = .crossfade
        case "equalPower": self = .equalPower
        case "cut": self = .cut
        default:
            guard let curve = FadeCurve(rawValue: rawValue) else { return nil }
            self = .curve(curve)
        }
    }

    public var rawValue: String {
        switch self {
        case .cut: "cut"
        case .curve(.tri): "crossfade"
        case .curve(.qsin): "equalPower"
        case .curve(let curve): curve.rawValue
        }
    }
}
