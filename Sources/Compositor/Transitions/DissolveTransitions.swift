import Media

/// A linear cross-fade: `A(1-p) + Bp`.
struct Dissolve: TransitionDrawing {
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let weight = Blend.weight(Double(progress.step) / Double(progress.count))
        for index in 0..<3 { Blend.mix(from.plane(index), to.plane(index), weight, into: target.plane(index)) }
    }
}

/// A fades to black as `A(1-2p)`, then B fades in as `B(2p-1)`.
///
/// Black is 16 in luma and 128 in chroma. Scaling a limited-range picture means moving it towards these values.
struct FadeThroughBlack: TransitionDrawing {
    private let black: [UInt8]

    init(_ planes: TransitionPlanes) {
        black = planes == .coverage ? [255, 255, 255] : [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v]
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let (step, count) = (progress.step, progress.count)
        let isFirstHalf = 2 * step < count
        let visible = isFirstHalf ? from : to
        let share = isFirstHalf ? Double(2 * step) / Double(count) : 2 - Double(2 * step) / Double(count)
        for index in 0..<3 {
            Blend.mix(visible.plane(index), value: black[index], Blend.weight(share), into: target.plane(index))
        }
    }
}
