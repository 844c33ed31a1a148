import ExactTime
import ExportPlan

/// The source times at which clips are cut into segments, the same for all clips of a source that are of equal speed and
/// cut equally finely. They are computed once for each.
struct SourceCuts {
    /// The largest part of a segment's work that decoding from the keyframe before its start may be.
    private static let runUp = 0.125

    private struct Key: Hashable {
        var source: String
        var speed: Rational
        var length: SegmentLength
    }

    private let costs: PictureCosts
    private var known: [Key: [MediaTime]] = [:]

    init(_ costs: PictureCosts) {
        self.costs = costs
    }

    /// The cuts that may lie within the given frames, and one more on each side.
    mutating func cuts(
        of source: String, _ video: VideoFacts, _ timing: SourceTiming, _ frames: Range<Int>, _ rate: FrameRate,
        _ length: SegmentLength
    ) -> ArraySlice<MediaTime> {
        let key = Key(source: source, speed: timing.meanSpeed, length: length)
        let all = known[key] ?? sourceCuts(video, speed: key.speed, length)
        known[key] = all
        let ends = [frames.lowerBound, frames.upperBound].map { timing.sourceTime(at: rate.time(ofFrame: $0)) }
        let first = all.firstIndexSorted { $0 > min(ends[0], ends[1]) }
        let end = all.firstIndexSorted { $0 > max(ends[0], ends[1]) }
        return all[max(0, first - 1)..<min(all.count, end + 1)]
    }

    /// The source times at which any clip of this source is cut: keyframes about `length.usual` apart. Where there is no
    /// keyframe for too long, cuts lie between keyframes. A segment that begins there decodes the pictures since the
    /// keyframe before, too, and is so long that this is a small part of its work.
    private func sourceCuts(_ video: VideoFacts, speed: Rational, _ length: SegmentLength) -> [MediaTime] {
        let (shortest, usual) = (MediaTime(length.shortest * speed), MediaTime(length.usual * speed))
        guard usual > .zero else { return [] }
        let perRunUp = lengthPerRunUp(video, speed: speed)
        /// The usual length, or as many times it as a segment that begins at `start` needs.
        func wanted(at start: MediaTime) -> MediaTime {
            let keyframe = video.keyframes.lastSortedIndex { $0 <= start }.map { video.keyframes[$0] } ?? .zero
            let times = ((start - keyframe).doubleValue * perRunUp / usual.doubleValue).rounded(.up)
            return MediaTime(length.usual * speed * Rational(Int(min(max(1, times), 1e6))))
        }
        var cuts: [MediaTime] = []
        var last = MediaTime.zero
        while true {
            let between = last + wanted(at: last)
            let latest = between + usual
            guard latest < video.duration else { return cuts }
            let next = video.keyframe(after: latest)
            if let keyframe = video.keyframe(nearest: between, in: last + shortest...latest) {
                last = keyframe
            } else if between + wanted(at: between) <= next ?? video.duration {
                last = between
            } else if let next {
                last = next
            } else {
                return cuts
            }
            cuts.append(last)
        }
    }

    /// How long a segment has to be for each second of its run-up, in seconds of the source.
    private func lengthPerRunUp(_ video: VideoFacts, speed: Rational) -> Double {
        let decoding = costs.decoding(video)
        return decoding / (SourceCuts.runUp * (decoding + costs.encoding / max(speed.doubleValue, 1e-3)))
    }
}

extension VideoFacts {
    /// The keyframe in `range` that is nearest to a time, the earlier one of two.
    fileprivate func keyframe(nearest time: MediaTime, in range: ClosedRange<MediaTime>) -> MediaTime? {
        let after = keyframes.firstIndexSorted { $0 > time }
        let candidates = keyframes[max(0, after - 1)..<min(keyframes.count, after + 1)].filter(range.contains)
        return candidates.min { abs($0 - time) < abs($1 - time) }
    }

    fileprivate func keyframe(after time: MediaTime) -> MediaTime? {
        let next = keyframes.firstIndexSorted { $0 > time }
        return next < keyframes.count ? keyframes[next] : nil
    }
}

extension SourceTiming {
    /// The average speed in source seconds per second of film.
    fileprivate var meanSpeed: Rational {
        guard let ramp, ramp.duration > .zero else { return rate.magnitude }
        return rate.magnitude * (ramp.sourceRange.duration / ramp.duration)
    }
}

private func abs(_ time: MediaTime) -> MediaTime { time < .zero ? -time : time }
