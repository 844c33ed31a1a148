import ExactTime
import ExportPlan

/// The opening of a long film: its first picture segment is shorter than the others, because on a farm with many slots the
/// film can be watched as soon as it is there (docs/decisions/0058-soundtrack-parts.md).
enum Opening {
    /// Shorter films are there soon as a whole.
    private static let longFilm = MediaTime(seconds: 300)
    /// The length of the first picture segment in seconds: about this, and between the other two at a keyframe of the source.
    private static let length = (shortest: Rational(3, 4), usual: Rational(1), longest: Rational(3, 2))
    /// The longest distance in seconds from the keyframe before, which a segment behind a cut has to decode.
    private static let longestPreRoll = MediaTime(seconds: 10)

    /// The frame at which the first picture segment of a film ends; nil where it ends soon enough without a cut.
    /// - Parameters:
    ///   - instruction: what is seen in `frames`.
    ///   - end: the frame at which the first segment of these frames ends without this cut.
    static func cut(
        of instruction: Instruction, _ frames: Range<Int>, before end: Int, _ composition: Composition, isPreview: Bool,
        facts: [String: SourceFacts]
    ) -> Int? {
        let rate = composition.frameRate
        func count(_ seconds: Rational) -> Int { (seconds * rate.framesPerSecond).rounded }
        guard frames.lowerBound == 0, isPreview || composition.duration >= longFilm, end > count(length.longest) else {
            return nil
        }
        let usual = count(length.usual)
        guard let (source, timing) = instruction.layers.compactMap(\.playing).first, let video = facts[source]?.video else {
            return usual
        }
        let range = count(length.shortest)...count(length.longest)
        let ends = [range.lowerBound, range.upperBound].map { timing.sourceTime(at: rate.time(ofFrame: $0)) }
        let first = video.keyframes.firstIndexSorted { $0 >= min(ends[0], ends[1]) }
        let atKeyframes = video.keyframes[first...].prefix { $0 <= max(ends[0], ends[1]) }.compactMap { keyframe in
            timing.timelineTime(ofSource: keyframe).map { rate.firstFrame(atOrAfter: $0) }
        }
        if let nearest = atKeyframes.filter(range.contains).min(by: { abs($0 - usual) < abs($1 - usual) }) { return nearest }
        let start = timing.sourceTime(at: rate.time(ofFrame: usual))
        guard let before = video.keyframes.lastSortedIndex(where: { $0 <= start }) else { return nil }
        return start - video.keyframes[before] <= longestPreRoll ? usual : nil
    }
}
