import ExactTime
import ExportPlan
import Vocabulary

/// How long the video segments of a clip may be, in seconds of film.
struct SegmentLength: Hashable {
    let usual: Rational

    var shortest: Rational { usual * Rational(4, 5) }
    var longest: Rational { usual * Rational(2) }
    /// The shortest first or last segment of a clip. A shorter one is merged with its neighbour.
    var edge: Rational { usual * Rational(2, 5) }

    /// The usual length of segments, so long that the keyframe with which each begins costs few bytes.
    static let standard = SegmentLength(usual: Rational(5))
}

/// Chooses how finely each instruction of a composition is cut.
///
/// Each cut of a film with keyframes far apart costs the bytes of one more, so its segments have the standard length. If
/// the film has keyframes every 2.5 s or oftener, cuts lie where a keyframe is due anyway, unless a change of the scene has
/// moved the keyframes. Instructions of such a film are cut finer if a segment of the usual length would be more than a
/// quarter of the film's work: two slots then share a short film, and one costly clip of a longer one.
struct SegmentLengths {
    /// The largest part of the film's work that a segment of the usual length may be.
    private static let share = 0.25
    /// The greatest distance between keyframes, in seconds, of films that may be cut finer.
    private static let closeKeyframes = Rational(5, 2)
    /// The length of finer segments in seconds. Segments of 2 to 2.5 s cost 10 % more bytes at equal quality where the
    /// scene changes (docs/decisions/0052-two-encoder-threads.md).
    private static let fineLength = Rational(4)
    /// Longer films have many segments, whatever they show. Their work is not computed.
    private static let longFilm = MediaTime(seconds: 120)

    private let costs: PictureCosts
    private let usual: SegmentLength
    /// The length of finer segments; nil if nothing is cut finer.
    private let fine: SegmentLength?
    /// The predicted seconds of the whole film's pictures.
    private let total: Double

    init(_ composition: Composition, _ encode: VideoEncodeSettings, _ costs: PictureCosts) {
        self.costs = costs
        let interval = Rational(encode.maxKeyframeInterval) / composition.frameRate.framesPerSecond
        guard encode.codec.format.hasKeyframes, interval <= SegmentLengths.closeKeyframes else {
            (usual, fine, total) = (.standard, nil, 0)
            return
        }
        // A multiple of the keyframe interval.
        usual = SegmentLength(usual: interval * Rational(max(1, (SegmentLength.standard.usual / interval).rounded)))
        let isShort = composition.duration <= SegmentLengths.longFilm
        fine = isShort ? SegmentLength(usual: SegmentLengths.fineLength) : nil
        total = isShort ? composition.instructions.reduce(0) { $0 + costs.seconds(of: $1) } : 0
    }

    func length(for instruction: Instruction) -> SegmentLength {
        guard let fine else { return usual }
        let seconds = max(instruction.timeRange.duration.doubleValue, 1e-3)
        let work = costs.seconds(of: instruction) / seconds * usual.usual.doubleValue
        return work > total * SegmentLengths.share ? fine : usual
    }
}
