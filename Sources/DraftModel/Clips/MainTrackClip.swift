package import ExactTime
package import Vocabulary

/// A clip of the main track. Clips play one after another; a transition overlaps two of them.
package struct MainTrackClip: Hashable, Sendable, Encodable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case av, image, color, generator }

    package var id: String?
    package var type: Kind
    /// For `av` and `image`.
    package var url: String?
    /// For `color`: what fills the frame; without it, the draft's background shows.
    package var color: Color?
    /// For `generator`: the name of the plug-in that draws the pictures.
    package var name: String?
    /// For `generator`: the values of the plug-in's parameters.
    package var parameters: [String: PicturePlugin.Value]?
    /// For `av`: the picture stream that plays, where the file has several; by default the one that a player would choose.
    package var videoStream: StreamSelector?
    /// For `av`: the sound stream that plays.
    package var audioStream: StreamSelector?
    /// For `av`: the range of source time that plays, before speed and reverse.
    package var timeRange: TimeRange?
    /// For `av`: the duration on the main track, instead of `speed`.
    package var durationAtMainTrack: MediaTime?
    /// For `image` and `color`: how long it is shown. For `generator`: how many of the plug-in's own seconds play.
    package var duration: MediaTime?
    /// For `av` and `generator`: 0.1...16, constant or animated.
    package var speed: ClipSpeed?
    package var reverse: Bool?
    /// For `av`: whether a film frame between two frames of the source is a blend of both.
    package var frameBlending: Bool?
    /// For `av`: how an interlaced source is deinterlaced; `auto` by default.
    package var deinterlace: Deinterlace?
    /// For `av`: how many times a second the picture changes at most, 1...240; by default as often as the film's.
    package var frameRate: FrameRate?
    /// Whether the picture is shown; true by default. Without it the draft's background shows.
    package var video: Bool?
    /// Linear gain, 0...8.
    package var volume: Double?
    package var volumeRamps: [VolumeRamp]?
    package var muted: Bool?
    package var timePitchAlgorithm: TimePitchAlgorithm?
    /// Semitones, -24...24.
    package var pitch: Double?
    /// Where the sound stands: -1 (left) ... 1 (right).
    package var pan: Double?
    /// Filters of the sound, in order, before its volume.
    package var audioFilters: [AudioFilter]?
    /// An orientation that replaces that of the file.
    package var preferredTransform: PreferredTransform?
    /// The crop in pixels or fractions of the rotated source.
    package var cropRect: Rect?
    package var scalingMode: ScalingMode?
    /// A transform that is applied after the scaling mode.
    package var transform: Transform?
    /// The opacity over the background, 0...1.
    package var opacity: Double?
    /// Operations on this clip only, in order.
    package var filters: [Filter]?
    /// Keyframes, in clip time.
    package var animations: [Animation]?
    /// The transition from the clip before to this one.
    package var transition: Transition?

    package init(type: Kind, url: String? = nil) {
        self.type = type
        self.url = url
    }

    /// The plug-in of a clip of type `generator`.
    package var generator: PicturePlugin? {
        guard type == .generator else { return nil }
        return name.map { PicturePlugin(name: $0, parameters: parameters ?? [:]) }
    }
}

/// The speed of a clip.
package enum ClipSpeed: Hashable, Sendable, Encodable {
    case constant(Rational)
    /// A speed over the clip's own source time, in seconds from the start of its `timeRange`.
    case curve(KeyedCurve)

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .constant(let speed): try speed.encode(to: encoder)
        case .curve(let curve): try curve.encode(to: encoder)
        }
    }
}

/// How the pitch follows the speed.
package enum TimePitchAlgorithm: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Time-stretching: the pitch is kept.
    case spectral
    /// Varispeed: the pitch follows the speed, as on a tape.
    case varispeed
}

/// A clip's orientation: mirrored left to right, then rotated clockwise.
package struct PreferredTransform: Hashable, Sendable, Encodable {
    /// Degrees clockwise: 0, 90, 180 or 270.
    package var rotation: Int?
    package var mirrored: Bool?

    package init(rotation: Int? = nil, mirrored: Bool? = nil) {
        self.rotation = rotation
        self.mirrored = mirrored
    }
}

/// A linear change of volume during a range of the clip, in clip time. It is multiplied with `volume`.
package struct VolumeRamp: Hashable, Sendable, Encodable {
    package var timeRange: TimeRange
    package var startVolume: Double
    package var endVolume: Double

    package init(timeRange: TimeRange, startVolume: Double, endVolume: Double) {
        self.timeRange = timeRange
        self.startVolume = startVolume
        self.endVolume = endVolume
    }
}

/// The overlap of a clip with the one before it.
package struct Transition: Hashable, Sendable, Encodable {
    /// How the sounds of the two clips are joined.
    package enum Audio: Hashable, Sendable {
        /// The first sound fades out and the second fades in along a curve. With straight lines, `crossfade`, the gains
        /// add up to 1. With quarters of a sine, `equalPower`, the powers add up to 1.
        case curve(FadeCurve)
        /// The first sound ends and the second starts in the middle of the overlap.
        case cut

        package static let crossfade = Audio.curve(.tri)
        package static let equalPower = Audio.curve(.qsin)
    }

    package var type: TransitionKind
    package var duration: MediaTime
    package var audio: Audio?
    /// For `lumaMap`: the location of the greyscale picture.
    package var url: String?
    /// For `lumaMap`: the softness of the edge, 0...1.
    package var softness: Double?
    /// For `lumaMap`: whether white areas change first instead of black ones.
    package var inverted: Bool?
    /// For `externalTransition`: the name of the plug-in that joins the pictures.
    package var name: String?
    /// For `externalTransition`: the values of the plug-in's parameters.
    package var parameters: [String: PicturePlugin.Value]?
    /// For `externalTransition`: the parameter that runs over the transition; by default the plug-in's only number.
    package var progress: String?

    package init(type: TransitionKind, duration: MediaTime, audio: Audio? = nil) {
        self.type = type
        self.duration = duration
        self.audio = audio
    }

    /// The plug-in of an `externalTransition`.
    package var mixer: PicturePlugin? {
        guard type == .externalTransition else { return nil }
        return name.map { PicturePlugin(name: $0, parameters: parameters ?? [:]) }
    }
}

extension Transition.Audio: RawRepresentable, CaseIterable, Encodable {
    package static let allCases =
        [crossfade, equalPower, .cut] + FadeCurve.allCases.filter { $0 != .tri && $0 != .qsin }.map { .curve($0) }

    /// The names of FFmpeg's `acrossfade` curves, and `crossfade`, `equalPower` and `cut`.
    package init?(rawValue: String) {
        switch rawValue {
        case "crossfade": self = .crossfade
        case "equalPower": self = .equalPower
        case "cut": self = .cut
        default:
            guard let curve = FadeCurve(rawValue: rawValue) else { return nil }
            self = .curve(curve)
        }
    }

    package var rawValue: String {
        switch self {
        case .cut: "cut"
        case .curve(.tri): "crossfade"
        case .curve(.qsin): "equalPower"
        case .curve(let curve): curve.rawValue
        }
    }
}
