import ExactTime
import ExportPlan

/// A place at which a sound begins or ends: when, and where in which source. A sound that begins where another one ends goes on.
private struct Edge: Hashable {
    var source: String
    var reversed: Bool
    /// On the timeline.
    var time: MediaTime
    /// In the source.
    var place: MediaTime
}

/// What has to be alike for one stretcher to run over both sides of an edge.
private struct StretchEdge: Hashable {
    var edge: Edge
    var speed: Rational
    var pitch: Double
    var keepsPitch: Bool
}

extension AudioInput {
    private func edge(_ time: MediaTime, _ place: MediaTime) -> Edge {
        Edge(source: source, reversed: reversed, time: time, place: place)
    }

    fileprivate var startEdge: Edge { edge(timeRange.start, reversed ? sourceRange.end : sourceRange.start) }
    fileprivate var endEdge: Edge { edge(timeRange.end, reversed ? sourceRange.start : sourceRange.end) }

    fileprivate func stretched(_ edge: Edge) -> StretchEdge? {
        guard needsStretching, legs == nil else { return nil }
        return StretchEdge(edge: edge, speed: speed, pitch: pitch, keepsPitch: keepsPitch)
    }
}

extension [AudioInput] {
    /// The same sounds, of which neighbours that go on where the one before ended, at one speed and pitch, are stretched as one: a
    /// clip that is cut in two sounds as it did before. What is done to their volume may differ.
    func stretchedTogether() -> [AudioInput] {
        var ends: [StretchEdge: Int] = [:]
        for (index, input) in enumerated() {
            if let edge = input.stretched(input.endEdge), ends[edge] == nil { ends[edge] = index }
        }
        var next: [Int: Int] = [:]
        var hasPrevious: Set<Int> = []
        for (index, input) in enumerated() {
            guard let edge = input.stretched(input.startEdge), let before = ends[edge], before != index, next[before] == nil
            else {
                continue
            }
            next[before] = index
            hasPrevious.insert(index)
        }
        var result = self
        for first in indices where next[first] != nil && !hasPrevious.contains(first) {
            var run = [first]
            while let following = next[run[run.count - 1]] { run.append(following) }
            let (start, end) = (self[first], self[run[run.count - 1]])
            let source =
                start.reversed
                ? TimeRange(from: end.sourceRange.start, to: start.sourceRange.end)
                : TimeRange(from: start.sourceRange.start, to: end.sourceRange.end)
            for index in run {
                result[index].run = AudioInput.Run(
                    timeRange: TimeRange(from: start.timeRange.start, to: end.timeRange.end), sourceRange: source)
            }
        }
        return result
    }

    /// The same sounds with a short fade wherever one begins or ends and does not go on: at cuts, freezes and repeats. Where the
    /// film begins and ends there is none.
    /// - Parameters:
    ///   - length: of a fade; half of what is shorter than two.
    ///   - film: on the timeline.
    func declicked(over length: MediaTime, film: TimeRange) -> [AudioInput] {
        guard length > .zero else { return self }
        let starts = Set(map(\.startEdge))
        let ends = Set(map(\.endEdge))
        return map { input in
            let range = input.timeRange
            let fade = Swift.min(length, range.duration * Rational(1, 2))
            guard fade > .zero else { return input }
            var points: [GainCurve.Point] = []
            if range.start > film.start, !ends.contains(input.startEdge) {
                points += [.init(time: range.start, gain: 0), .init(time: range.start + fade, gain: 1)]
            }
            if range.end < film.end, !starts.contains(input.endEdge) {
                points += [.init(time: range.end - fade, gain: 1), .init(time: range.end, gain: 0)]
            }
            guard !points.isEmpty else { return input }
            var result = input
            result.gains.append(GainCurve(points: points))
            return result
        }
    }
}
