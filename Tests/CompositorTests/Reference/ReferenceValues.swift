import DraftModel
import ExactTime
import TestSupport

/// The values of a clip or layer at one time: from its keyframes, or else the constants in the draft.
struct ReferenceValues {
    let animations: [Animation]
    /// The time from the start of the clip or layer.
    let time: MediaTime

    init(_ animations: [Animation]?, at time: MediaTime) {
        self.animations = animations ?? []
        self.time = time
    }

    func value(_ keyPath: String, _ constant: Double) -> Double {
        animations.first { $0.keyPath == keyPath }.map(value) ?? constant
    }

    func pair(_ name: String, _ given: Transform.Pair?, _ unset: SIMD2<Double>) -> SIMD2<Double> {
        let both = animations.first { $0.keyPath == name }.map(value)
        return SIMD2(both ?? value("\(name).x", given?.x ?? unset.x), both ?? value("\(name).y", given?.y ?? unset.y))
    }

    func operations(_ filters: [Filter]?, in list: String) -> [ReferenceOperation] {
        (filters ?? []).enumerated().map { index, filter in
            var values = filter.parameters
            for animation in animations where animation.keyPath.hasPrefix("\(list)[\(index)].") {
                values[String(animation.keyPath.dropFirst("\(list)[\(index)].".count))] = value(animation)
            }
            return ReferenceOperation(name: filter.type, values: values)
        }
    }

    private func value(_ animation: Animation) -> Double {
        let (times, values) = (animation.curve.keyTimes, animation.curve.values)
        guard let next = times.firstIndex(where: { $0 > time }) else { return values[times.count - 1] }
        guard next > 0 else { return values[0] }
        let progress = ((time - times[next - 1]) / (times[next] - times[next - 1])).doubleValue
        let (from, to) = (values[next - 1], values[next])
        return from + (to - from) * (animation.curve.timingFunctions?[next - 1] ?? .linear).published(at: progress)
    }
}

extension TimingFunction {
    /// The easing curve by its published definition.
    fileprivate func published(at progress: Double) -> Double {
        switch self {
        case .linear: return progress
        case .hold: return 0
        case .penner(let family, let direction):
            return PennerEasing.published["\(family.rawValue)\(direction.rawValue)"]?(progress, 0, 1, 1) ?? .nan
        case .cubicBezier(let x1, let y1, let x2, let y2):
            func point(_ first: Double, _ second: Double, _ t: Double) -> Double {
                3 * (1 - t) * (1 - t) * t * first + 3 * (1 - t) * t * t * second + t * t * t
            }
            var (low, high) = (0.0, 1.0)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if point(x1, x2, middle) < progress { low = middle } else { high = middle }
            }
            return point(y1, y2, low)
        }
    }
}
