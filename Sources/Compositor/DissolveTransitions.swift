import Media

/// The transitions that mix every sample: `dissolve` is `A(1-p) + Bp`; `fade` is `A(1-2p)` to black, then `B(2p-1)`.
func dissolve(_ from: VideoFrame, _ to: VideoFrame, progress: Double, into target: VideoFrame) {
    let weight = Blend.weight(progress)
    for index in 0..<3 { Blend.mix(from.plane(index), to.plane(index), weight, into: target.plane(index)) }
}

/// Black is 16 in luma and 128 in chroma; scaling a limited-range picture means moving towards those.
func fadeThroughBlack(_ from: VideoFrame, _ to: VideoFrame, step: Int, count: Int, into target: VideoFrame) {
    let isFirstHalf = 2 * step < count
    let visible = isFirstHalf ? from : to
    let black = isFirstHalf ? Double(2 * step) / Double(count) : 2 - Double(2 * step) / Double(count)
    let values = [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v]
    for index in 0..<3 {
        Blend.mix(visible.plane(index), value: values[index], Blend.weight(black), into: target.plane(index))
    }
}
