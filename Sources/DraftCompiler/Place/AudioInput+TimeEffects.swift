import ExactTime
import ExportPlan

extension AudioInput {
    /// A sound of the main track as the film plays it: one input for each run of intervals that continue each
    /// other.
    func played(through intervals: SoundIntervals) -> [AudioInput] {
        let heard = intervals.meeting(timeRange)
        var runs: [[SoundInterval]] = []
        for interval in heard {
            if let last = runs.last?.last, last.timeRange.end == interval.timeRange.start,
                last.trackRange.end == interval.trackStart
            {
                runs[runs.count - 1].append(interval)
            } else {
                runs.append([interval])
            }
        }
        // The start of the first section, and the end of each.
        let edges = (speedRanges ?? []).reduce(into: [timeRange.start]) { $0.append($0[$0.count - 1] + $1.duration) }
        return runs.map { played(in: $0.map { $0.restricted(toTrack: timeRange) }, sectionEdges: edges) }
    }

    /// - Parameter run: intervals inside the input, without gaps between them.
    private func played(in run: [SoundInterval], sectionEdges: [MediaTime]) -> AudioInput {
        let (first, last) = (run[0], run[run.count - 1])
        let track = TimeRange(from: first.trackStart, to: last.trackRange.end)
        if run.count == 1, first.speed == .one, track == timeRange, first.timeRange == timeRange { return self }
        var result = self
        result.timeRange = TimeRange(from: first.timeRange.start, to: last.timeRange.end)
        let speedRanges = run.flatMap { interval in
            self.speedRanges(during: interval.trackRange, sectionEdges).map {
                SpeedRange(duration: $0.duration / interval.speed, sourceDuration: $0.sourceDuration)
            }
        }.joinedBySpeed
        let skipped = self.speedRanges(during: TimeRange(from: timeRange.start, to: track.start), sectionEdges).reduce(.zero) {
            $0 + $1.sourceDuration
        }
        let played = speedRanges.reduce(MediaTime.zero) { $0 + $1.sourceDuration }
        result.sourceRange = TimeRange(
            start: reversed ? sourceRange.end - skipped - played : sourceRange.start + skipped, duration: played)
        result.speedRanges = speedRanges.count > 1 ? speedRanges : nil
        result.speed = played / result.timeRange.duration
        result.gains = gains.map { $0.played(through: run) }
        result.pan = pan?.played(through: run)
        return result
    }

    /// The parts of its sections that lie in a range of its own timeline.
    private func speedRanges(during range: TimeRange, _ edges: [MediaTime]) -> [SpeedRange] {
        guard let speedRanges else {
            return range.isEmpty ? [] : [SpeedRange(duration: range.duration, sourceDuration: range.duration * speed)]
        }
        let first = max(0, edges.firstIndexSorted { $0 > range.start } - 1)
        let end = min(speedRanges.count, edges.firstIndexSorted { $0 >= range.end })
        guard first < end else { return [] }
        return (first..<end).compactMap { index in
            let speedRange = speedRanges[index]
            let part = TimeRange(start: edges[index], duration: speedRange.duration).intersection(range)
            guard !part.isEmpty else { return nil }
            return SpeedRange(duration: part.duration, sourceDuration: part.duration * speedRange.speed)
        }
    }
}

/// The intervals of the main track's sound in film order, indexed by the range of the track that they play.
struct SoundIntervals {
    private let intervals: [SoundInterval]
    private let byTrack: RangeIndex<MediaTime>

    init(_ intervals: [SoundInterval]) {
        self.intervals = intervals
        byTrack = RangeIndex(intervals.map { ($0.trackRange.start, $0.trackRange.end) })
    }

    /// The intervals that play a part of a range of the main track.
    func meeting(_ range: TimeRange) -> [SoundInterval] {
        byTrack.indices(from: range.start, to: range.end).map { intervals[$0] }
    }
}

extension SoundInterval {
    /// The part of the interval that plays a range of the main track. The two must overlap.
    fileprivate func restricted(toTrack range: TimeRange) -> SoundInterval {
        let heard = trackRange.intersection(range)
        return SoundInterval(
            timeRange: TimeRange(
                start: timeRange.start + (heard.start - trackStart) / speed, duration: heard.duration / speed),
            trackStart: heard.start, speed: speed)
    }
}

extension [AudioInput.SpeedRange] {
    /// The same sections, with neighbours of equal speed merged.
    var joinedBySpeed: [AudioInput.SpeedRange] {
        reduce(into: []) { speedRanges, speedRange in
            if let last = speedRanges.last, last.speed == speedRange.speed {
                speedRanges[speedRanges.count - 1].duration += speedRange.duration
                speedRanges[speedRanges.count - 1].sourceDuration += speedRange.sourceDuration
            } else {
                speedRanges.append(speedRange)
            }
        }
    }
}

extension GainCurve {
    /// The number of straight lines that replace an easing across an edge between two speeds.
    private static let easedLines = 64

    /// The curve in film time. It gets a point at each change of speed; an easing that crosses one becomes straight
    /// lines.
    fileprivate func played(through run: [SoundInterval]) -> GainCurve {
        let edges = run.map(\.trackStart) + [run[run.count - 1].trackRange.end]
        func filmTime(_ time: MediaTime) -> MediaTime {
            let interval = run[max(0, run.firstIndexSorted { $0.trackStart > time } - 1)]
            return interval.timeRange.start + (time - interval.trackStart) / interval.speed
        }
        var result: [Point] = []
        for (index, point) in points.enumerated() {
            result.append(point)
            guard index + 1 < points.count else { continue }
            let crossed = edges[
                edges.firstIndexSorted {
                    $0 > point.time
                }..<max(
                    edges.firstIndexSorted { $0 > point.time }, edges.firstIndexSorted { $0 >= points[index + 1].time })]
            guard !crossed.isEmpty else { continue }
            var times = Array(crossed)
            if let easing = point.easing, easing != .linear {
                let step = (points[index + 1].time - point.time) / Rational(GainCurve.easedLines)
                times = (crossed + (1..<GainCurve.easedLines).map { point.time + step * Rational($0) }).sorted()
                result[result.count - 1].easing = .linear
            }
            result += times.map { Point(time: $0, gain: line(at: $0), easing: point.easing == nil ? nil : .linear) }
        }
        return GainCurve(
            shape: shape,
            points: result.map { Point(time: filmTime($0.time), gain: $0.gain, easing: $0.easing) })
    }
}
