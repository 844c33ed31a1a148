import ExactTime
import ExportPlan

extension AudioInput {
    /// A sound of the main track as the film plays it: one input for each run of pieces that go on where the one before ended.
    func played(through pieces: [SoundPiece]) -> [AudioInput] {
        let heard = pieces.filter { !$0.trackRange.intersection(timeRange).isEmpty }
        var runs: [[SoundPiece]] = []
        for piece in heard {
            if let last = runs.last?.last, last.timeRange.end == piece.timeRange.start, last.trackRange.end == piece.trackStart {
                runs[runs.count - 1].append(piece)
            } else {
                runs.append([piece])
            }
        }
        return runs.map { played(in: $0.map { $0.restricted(toTrack: timeRange) }) }
    }

    /// - Parameter run: pieces inside the input, without gaps.
    private func played(in run: [SoundPiece]) -> AudioInput {
        let (first, last) = (run[0], run[run.count - 1])
        let track = TimeRange(from: first.trackStart, to: last.trackRange.end)
        if run.count == 1, first.speed == .one, track == timeRange, first.timeRange == timeRange { return self }
        var result = self
        result.timeRange = TimeRange(from: first.timeRange.start, to: last.timeRange.end)
        let legs = run.flatMap { piece in
            self.legs(during: piece.trackRange).map {
                Leg(duration: $0.duration / piece.speed, sourceDuration: $0.sourceDuration)
            }
        }.joinedBySpeed
        let skipped = self.legs(during: TimeRange(from: timeRange.start, to: track.start)).reduce(.zero) {
            $0 + $1.sourceDuration
        }
        let played = legs.reduce(MediaTime.zero) { $0 + $1.sourceDuration }
        result.sourceRange = TimeRange(
            start: reversed ? sourceRange.end - skipped - played : sourceRange.start + skipped, duration: played)
        result.legs = legs.count > 1 ? legs : nil
        result.speed = played / result.timeRange.duration
        result.gains = gains.map { $0.played(through: run) }
        return result
    }

    /// The parts of its legs that lie in a range of its own timeline.
    private func legs(during range: TimeRange) -> [Leg] {
        guard let legs else {
            return range.isEmpty ? [] : [Leg(duration: range.duration, sourceDuration: range.duration * speed)]
        }
        var start = timeRange.start
        return legs.compactMap { leg in
            defer { start += leg.duration }
            let part = TimeRange(start: start, duration: leg.duration).intersection(range)
            guard !part.isEmpty else { return nil }
            return Leg(duration: part.duration, sourceDuration: part.duration * leg.speed)
        }
    }
}

extension SoundPiece {
    /// The part of it that plays a range of the main track which it meets.
    fileprivate func restricted(toTrack range: TimeRange) -> SoundPiece {
        let heard = trackRange.intersection(range)
        return SoundPiece(
            timeRange: TimeRange(
                start: timeRange.start + (heard.start - trackStart) / speed, duration: heard.duration / speed),
            trackStart: heard.start, speed: speed)
    }
}

extension [AudioInput.Leg] {
    /// Neighbours of one speed as one.
    var joinedBySpeed: [AudioInput.Leg] {
        reduce(into: []) { legs, leg in
            if let last = legs.last, last.speed == leg.speed {
                legs[legs.count - 1].duration += leg.duration
                legs[legs.count - 1].sourceDuration += leg.sourceDuration
            } else {
                legs.append(leg)
            }
        }
    }
}

extension GainCurve {
    /// How many straight lines stand for an easing that runs over an edge between two speeds.
    private static let easedLines = 64

    /// The curve in the film's time. Where the speed changes it has a point; an easing that runs on there becomes straight lines.
    fileprivate func played(through run: [SoundPiece]) -> GainCurve {
        let edges = run.map(\.trackStart) + [run[run.count - 1].trackRange.end]
        func filmTime(_ time: MediaTime) -> MediaTime {
            let piece = run.last { $0.trackStart <= time } ?? run[0]
            return piece.timeRange.start + (time - piece.trackStart) / piece.speed
        }
        var result: [Point] = []
        for (index, point) in points.enumerated() {
            result.append(point)
            guard index + 1 < points.count else { continue }
            let crossed = edges.filter { $0 > point.time && $0 < points[index + 1].time }
            guard !crossed.isEmpty else { continue }
            var times = crossed
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
