import ExactTime
import ExportPlan

extension AudioInput {
    /// A sound of the main track as the film plays it: one input for each run of pieces that go on where the one before ended.
    func played(through pieces: SoundPieces) -> [AudioInput] {
        let heard = pieces.meeting(timeRange)
        var runs: [[SoundPiece]] = []
        for piece in heard {
            if let last = runs.last?.last, last.timeRange.end == piece.timeRange.start, last.trackRange.end == piece.trackStart {
                runs[runs.count - 1].append(piece)
            } else {
                runs.append([piece])
            }
        }
        // Where its legs begin, and where they end.
        let edges = (legs ?? []).reduce(into: [timeRange.start]) { $0.append($0[$0.count - 1] + $1.duration) }
        return runs.map { played(in: $0.map { $0.restricted(toTrack: timeRange) }, legEdges: edges) }
    }

    /// - Parameter run: pieces inside the input, without gaps.
    private func played(in run: [SoundPiece], legEdges: [MediaTime]) -> AudioInput {
        let (first, last) = (run[0], run[run.count - 1])
        let track = TimeRange(from: first.trackStart, to: last.trackRange.end)
        if run.count == 1, first.speed == .one, track == timeRange, first.timeRange == timeRange { return self }
        var result = self
        result.timeRange = TimeRange(from: first.timeRange.start, to: last.timeRange.end)
        let legs = run.flatMap { piece in
            self.legs(during: piece.trackRange, legEdges).map {
                Leg(duration: $0.duration / piece.speed, sourceDuration: $0.sourceDuration)
            }
        }.joinedBySpeed
        let skipped = self.legs(during: TimeRange(from: timeRange.start, to: track.start), legEdges).reduce(.zero) {
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
    private func legs(during range: TimeRange, _ edges: [MediaTime]) -> [Leg] {
        guard let legs else {
            return range.isEmpty ? [] : [Leg(duration: range.duration, sourceDuration: range.duration * speed)]
        }
        let first = max(0, edges.firstIndexSorted { $0 > range.start } - 1)
        let end = min(legs.count, edges.firstIndexSorted { $0 >= range.end })
        guard first < end else { return [] }
        return (first..<end).compactMap { index in
            let leg = legs[index]
            let part = TimeRange(start: edges[index], duration: leg.duration).intersection(range)
            guard !part.isEmpty else { return nil }
            return Leg(duration: part.duration, sourceDuration: part.duration * leg.speed)
        }
    }
}

/// Pieces of the main track's sound, in the film's order, that are found by what they play of the track.
struct SoundPieces {
    private let pieces: [SoundPiece]
    private let byTrack: RangeIndex<MediaTime>

    init(_ pieces: [SoundPiece]) {
        self.pieces = pieces
        byTrack = RangeIndex(pieces.map { ($0.trackRange.start, $0.trackRange.end) })
    }

    /// Those that play something of a range of the main track.
    func meeting(_ range: TimeRange) -> [SoundPiece] {
        byTrack.indices(from: range.start, to: range.end).map { pieces[$0] }
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
            let piece = run[max(0, run.firstIndexSorted { $0.trackStart > time } - 1)]
            return piece.timeRange.start + (time - piece.trackStart) / piece.speed
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
