import ExactTime
import ExportPlan

/// A part of a film that is cut into segments: an instruction, with the transition that follows it.
///
/// A segment of its own would cost a transition two keyframes: its own, and that of the clip behind it. At the end of
/// its clip it costs one, where the picture has become another one anyway
/// (docs/decisions/0053-transitions-in-segments.md).
struct CutPart {
    /// The longest transition that belongs to the part of its clip. A longer one is a part of its own.
    private static let longestTransition = MediaTime(seconds: 2)

    /// The layers that are seen during the part.
    private(set) var instruction: Instruction
    /// The time at which the transition begins. Cuts lie before it.
    private(set) var transitionStart: MediaTime

    private init(_ instruction: Instruction) {
        self.instruction = instruction
        transitionStart = instruction.isTransition ? instruction.timeRange.start : instruction.timeRange.end
    }

    /// The parts of a film, in order.
    static func parts(of composition: Composition) -> [CutPart] {
        var parts: [CutPart] = []
        for instruction in composition.instructions {
            let rate = composition.frameRate
            guard instruction.isTransition, instruction.timeRange.duration <= longestTransition, let last = parts.last,
                last.transitionStart == instruction.timeRange.start,
                // A transition between two frames would only be carried along.
                !rate.frames(in: instruction.timeRange).isEmpty, !rate.frames(in: last.instruction.timeRange).isEmpty
            else {
                parts.append(CutPart(instruction))
                continue
            }
            parts[parts.count - 1].instruction = last.instruction.followed(by: instruction)
        }
        return parts
    }
}

extension Instruction {
    fileprivate var isTransition: Bool { layers.contains { if case .transition = $0.content { true } else { false } } }

    /// The layers of this instruction and of the next one. The topmost layers that go on in the next one are one layer
    /// each; the others are seen during their own instruction.
    fileprivate func followed(by next: Instruction) -> Instruction {
        var shared: [Layer] = []
        for (layer, other) in zip(layers.reversed(), next.layers.reversed()) {
            guard let whole = layer.seen(during: timeRange).followed(by: other.seen(during: next.timeRange)) else { break }
            shared.append(whole)
        }
        let own = layers.dropLast(shared.count).map { $0.seen(during: timeRange) }
        let following = next.layers.dropLast(shared.count).map { $0.seen(during: next.timeRange) }
        return Instruction(
            timeRange: TimeRange(from: timeRange.start, to: next.timeRange.end), layers: own + following + shared.reversed())
    }
}

extension Layer {
    /// The layer with the part of a range during which it is seen.
    fileprivate func seen(during range: TimeRange) -> Layer {
        var layer = self
        layer.timeRange = timeRange.map(range.intersection) ?? range
        return layer
    }

    /// This layer and one that begins where it ends, where both are the same but for their time; otherwise nil.
    fileprivate func followed(by next: Layer) -> Layer? {
        guard let own = timeRange, let following = next.timeRange, own.end == following.start else { return nil }
        var (whole, other) = (self, next)
        whole.timeRange = TimeRange(from: own.start, to: following.end)
        other.timeRange = whole.timeRange
        return whole == other ? whole : nil
    }
}
