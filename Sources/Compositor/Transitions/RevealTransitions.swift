import ExportPlan
package import Media
import Vocabulary
import Glibc

/// The transitions in which B appears behind a soft edge. B's weight at a place is `S(value(place) + offset(p))`.
struct SmoothReveal: TransitionDrawing {
    private let field: WeightField
    private let offset: (_ remaining: Float) -> Float

    init(_ kind: TransitionKind, size: FrameSize) {
        let (width, height) = (Float(size.width), Float(size.height))
        let (middleX, middleY) = (size.width / 2, size.height / 2)
        /// The distance from the left edge and from the right edge as a fraction of the width. `down` and `up` are the
        /// same for the height.
        func right(_ x: Int) -> Float { Float(x) / width }
        func left(_ x: Int) -> Float { Float(size.width - 1 - x) / width }
        func down(_ y: Int) -> Float { Float(y) / height }
        func up(_ y: Int) -> Float { Float(size.height - 1 - y) / height }
        func fromMiddleX(_ x: Int) -> Float { abs(Float(x - middleX) / Float(middleX)) }
        func fromMiddleY(_ y: Int) -> Float { abs(Float(y - middleY) / Float(middleY)) }
        func radius(_ x: Int, _ y: Int) -> Float {
            hypotf(Float(x - middleX), Float(y - middleY)) / hypotf(Float(middleX), Float(middleY))
        }
        offset =
            switch kind {
            case .circleOpen, .circleClose: { (0.5 - $0) * 3 }
            case .radial: { (0.5 - $0) * Float.pi * 2.5 }
            default: { -2 * $0 }
            }
        field =
            switch kind {
            case .smoothLeft: .columns(size) { 1 + right($0) }
            case .smoothRight: .columns(size) { 1 + left($0) }
            case .smoothUp: .rows(size) { 1 + down($0) }
            case .smoothDown: .rows(size) { 1 + up($0) }
            case .vertOpen: .columns(size) { 2 - fromMiddleX($0) }
            case .vertClose: .columns(size) { 1 + fromMiddleX($0) }
            case .horzOpen: .rows(size) { 2 - fromMiddleY($0) }
            case .horzClose: .rows(size) { 1 + fromMiddleY($0) }
            case .circleOpen: .places(size) { 1 - radius($0, $1) }
            case .circleClose: .places(size) { radius($0, $1) }
            case .radial: .places(size) { atan2f(Float($0 - middleX), Float($1 - middleY)) }
            case .diagTl: .places(size) { 1 + right($0) * down($1) }
            case .diagTr: .places(size) { 1 + left($0) * down($1) }
            case .diagBl: .places(size) { 1 + right($0) * up($1) }
            default: .places(size) { 1 + left($0) * up($1) }
            }
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let offset = offset(progress.remaining)
        mixPictures(MixInput(from), MixInput(to), into: target) { row, weights in
            field.smoothWeights(offset: offset, row: row, into: weights)
        }
    }
}

/// B appears pixel by pixel, where the place's pseudo-random number `fract(43758.545 sin(12.9898 x + 78.233 y))` is
/// below p. The result depends on single precision.
struct NoiseReveal: TransitionDrawing {
    private let field: WeightField

    init(size: FrameSize) {
        field = .places(size) { x, y in
            let number = sinf(Float(x) * 12.9898 + Float(y) * 78.233) * 43758.545
            return number - number.rounded(.down)
        }
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let passed = 1 - progress.remaining
        mixPictures(MixInput(from), MixInput(to), into: target) { row, weights in
            field.hardWeights(below: passed, row: row, into: weights)
        }
    }
}

/// B appears where a greyscale picture is below p.
///
/// With `m` the map (black 0, white 1; `1 - m` when inverted) and `s` the softness, B's weight is `(p(1 + s) - m) / s`
/// between 0 and 1, a linear ramp that is all A at p = 0 and all B at p = 1; for `s = 0` it is 1 where `m < p`, else 0.
package struct LumaMapReveal: TransitionDrawing {
    private let field: WeightField
    private let softness: Float

    /// - Parameters:
    ///   - picture: a limited-range 4:2:0 picture of the canvas's size. Only its luma is used.
    ///   - softness: 0...1.
    ///   - inverted: whether white comes first and black last.
    package init(_ picture: VideoFrame, softness: Double, inverted: Bool) {
        self.softness = Float(softness)
        let luma = picture.plane(0)
        field = .places(picture.size) { x, y in
            let value = min(1, max(0, (Float(luma.row(y)[x]) - 16) / 219))
            return inverted ? 1 - value : value
        }
    }

    package func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let passed = Float(progress.step) / Float(progress.count)
        mixPictures(MixInput(from), MixInput(to), into: target) { row, weights in
            if softness > 0 {
                let offset = passed * (1 + softness) / softness
                field.linearWeights(gain: -1 / softness, offset: offset, row: row, into: weights)
            } else {
                field.hardWeights(below: passed, row: row, into: weights)
            }
        }
    }
}

/// A dissolves into B only where the two are alike. They are mixed where the distance of their colours is at most `1 -
/// p` times 255; elsewhere B alone shows. The distance of two coverages is the difference of luma's.
struct DistanceReveal: TransitionDrawing {
    private let planes: TransitionPlanes

    init(_ planes: TransitionPlanes) {
        self.planes = planes
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let limit = progress.remaining * 255
        let limitSquared = Int32(limit * limit)
        let mixed = WeightField.weight(1 - progress.remaining)
        // Coverage has one number for each place, and black has no part in its distance.
        let share: Int32 = self.planes == .coverage ? 0 : 1
        let planes = (0..<3).map { (from.plane($0), to.plane($0)) }
        let width = target.size.width
        mixPictures(MixInput(from), MixInput(to), into: target) { row, weights in
            let lumaA = planes[0].0.row(row), lumaB = planes[0].1.row(row)
            let uA = planes[1].0.row(row / 2), uB = planes[1].1.row(row / 2)
            let vA = planes[2].0.row(row / 2), vB = planes[2].1.row(row / 2)
            for x in 0..<width {
                let y = Int32(lumaA[x]) &- Int32(lumaB[x])
                let u = Int32(uA[x / 2]) &- Int32(uB[x / 2])
                let v = Int32(vA[x / 2]) &- Int32(vB[x / 2])
                weights[x] = y &* y &+ share &* (u &* u &+ v &* v) <= limitSquared ? mixed : UInt16(Blend.one)
            }
        }
    }
}
