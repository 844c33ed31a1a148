import ExactTime
import ExportPlan

/// The start or end of a sound: its time, source and source position. A sound whose start equals another one's end
/// continues it.
private struct Edge: Hashable {
    var source: String
    var reversed: Bool
    /// The time on the timeline.
    var time: MediaTime
    /// The position in the source.
    var place: MediaTime
}

/// The properties that two neighbouring sounds must share for one time stretcher to process both.
private struct TimeStretchEdge: Hashable {
    var edge: Edge
    var speed: Rational
    var pitch: Double
    var keepsPitch: Bool
    /// Sounds in different groups are mixed apart, so no time stretcher can process both.
    var group: Int?
}

extension AudioInput {
    private func edge(_ time: MediaTime, _ place: MediaTime) -> Edge {
        Edge(source: source, reversed: reversed, time: time, place: place)
    }

    fileprivate var startEdge: Edge { edge(timeRange.start, reversed ? sourceRange.end : sourceRange.start) }
    fileprivate var endEdge: Edge { edge(timeRange.end, reversed ? sourceRange.start : sourceRange.end) }

    fileprivate func stretched(_ edge: Edge) -> TimeStretchEdge? {
        guard needsStretching, speedRanges == nil else { return nil }
        return TimeStretchEdge(edge: edge, speed: speed, pitch: pitch, keepsPitch: keepsPitch, group: group)
    }
}

extension [AudioInput] {
    /// The same sounds, with neighbours that continue each other at one speed and pitch time-stretched together. A clip
    /// that is cut in two then sounds as before. The gains of the neighbours may differ.
    func timeStretchedTogether() -> [AudioInput] {
        var ends: [TimeStretchEdge: Int] = [:]
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

    /// The same sounds, with a short fade where a sound begins or ends and no other continues it: at cuts, freezes and
    /// repetitions. There is no fade at the start and end of the film.
    /// - Parameters:
    ///   - length: the length of a fade. A sound shorter than two fades gets fades of half its length.
    ///   - film: the film's range on the timeline.
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
