import ExportPlan
import Media
import Operations
import Vocabulary
import Glibc

/// The colour through which a fade goes; `grays` stands for both pictures without chroma, and `coverage` for the
/// coverage of a colour.
enum FadeColor {
    case black, white, grays, coverage

    /// The black and white of FFmpeg's xfade are the ends of the code range, not of the limited range: luma 0 and 255,
    /// chroma 127.
    var samples: [UInt8] {
        switch self {
        case .black, .grays: [0, 127, 127]
        case .white: [255, 127, 127]
        case .coverage: [255, 255, 255]
        }
    }
}

/// Dissolves A into B by method of a colour, or for `grays` by method of A and B without chroma. With `r = 1 - p`, `S` the
/// smooth step and `C` the colour, the picture is `r (A S(r; 0.8, 1) + C (1 - S(r; 0.8, 1))) + p (C S(r; 0.2, 1) + B (1
/// - S(r; 0.2, 1)))`.
struct ColorFade: TransitionDrawing {
    private let color: FadeColor

    init(_ color: FadeColor) {
        self.color = color
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let remaining = progress.remaining
        let weightA = remaining * smoothStep(from: 0.8, to: 1, remaining)
        let weightB = (1 - remaining) * (1 - smoothStep(from: 0.2, to: 1, remaining))
        for index in 0..<3 {
            if color == .grays, index == 0 {
                Blend.mix(from.plane(0), to.plane(0), UInt32(WeightField.weight(1 - remaining)), into: target.plane(0))
            } else {
                let constant = Float(color.samples[index]) * (1 - weightA - weightB)
                mix(
                    from.plane(index), UInt32(WeightField.weight(weightA)), to.plane(index),
                    UInt32(WeightField.weight(weightB)), constant, into: target.plane(index))
            }
        }
    }

    private func mix(
        _ first: Plane, _ weightA: UInt32, _ second: Plane, _ weightB: UInt32, _ constant: Float, into target: Plane
    ) {
        // The rounded weights may add up to slightly more than one.
        let limit = 255 * Blend.one + Blend.one / 2
        let rest = UInt32(max(0, constant) * Float(Blend.one)) + Blend.one / 2
        for y in 0..<target.height {
            let a = first.row(y)
            let b = second.row(y)
            let out = target.row(y)
            for x in 0..<target.width {
                let sum = UInt32(a[x]) &* weightA &+ UInt32(b[x]) &* weightB &+ rest
                out[x] = UInt8(truncatingIfNeeded: min(sum, limit) >> 15)
            }
        }
    }
}

/// Dissolves each sample at its own pace. A's weight is `(1 - p)` to the power `1 + ln(1 + d)` (`fadeFast`) or `1 +
/// ln(2 - d)` (`fadeSlow`), with `d` the absolute difference of A and B divided by 255.
struct DifferenceFade: TransitionDrawing {
    private let isFast: Bool

    init(_ kind: TransitionKind) {
        isFast = kind == .fadeFast
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let weights = (0...255).map { difference -> UInt32 in
            let part = Float(difference) / 255
            let exponent = 1 + logf(isFast ? 1 + part : 2 - part)
            return UInt32(WeightField.weight(powf(progress.remaining, exponent)))
        }
        weights.withUnsafeBufferPointer { weights in
            for index in 0..<3 {
                let (first, second, result) = (from.plane(index), to.plane(index), target.plane(index))
                for y in 0..<result.height {
                    let (a, b, out) = (first.row(y), second.row(y), result.row(y))
                    for x in 0..<result.width {
                        let weight = weights[abs(Int(a[x]) &- Int(b[x]))]
                        let sum = UInt32(a[x]) &* weight &+ UInt32(b[x]) &* (Blend.one &- weight)
                        out[x] = UInt8(truncatingIfNeeded: (sum &+ Blend.one / 2) >> 15)
                    }
                }
            }
        }
    }
}
