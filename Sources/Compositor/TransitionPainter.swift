import ExactTime
public import ExportPlan
public import Media

/// Draws the passing of one stack into another. Both are drawn onto full frames first; the kinds themselves are below.
final class TransitionPainter: LayerPainter {
    private let transition: Transition
    private let frameRate: FrameRate
    private let canvas: FrameSize
    private let from: StackPainter
    private let to: StackPainter

    init(_ transition: Transition, _ context: PaintContext) throws(MediaError) {
        self.transition = transition
        frameRate = context.frameRate
        canvas = context.canvas
        from = try StackPainter(transition.from, context)
        to = try StackPainter(transition.to, context)
    }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        let outgoing = try from.picture(atFrame: index)
        let incoming = try to.picture(atFrame: index)
        let (step, count) = transition.progress(atFrame: index, of: frameRate)
        let result = try VideoFrame(.yuv420, canvas)
        drawTransition(transition.kind, from: outgoing, to: incoming, step: step, count: max(1, count), into: result)
        return result
    }

    func paint(onto canvas: VideoFrame, atFrame index: Int) throws(MediaError) {
        guard let picture = try coveringPicture(atFrame: index) else { return }
        for plane in 0..<3 { Blend.copy(picture.plane(plane), into: canvas.plane(plane)) }
    }
}

/// Draws one frame of a transition.
///
/// - Parameters:
///   - from: the outgoing picture A, of the target's size.
///   - to: the incoming picture B, of the target's size.
///   - step: the frame's number `k` within the transition, 0 ..< count; progress is `k / count`.
public func drawTransition(
    _ kind: Transition.Kind, from: VideoFrame, to: VideoFrame, step: Int, count: Int, into target: VideoFrame
) {
    switch kind {
    case .dissolve:
        dissolve(from, to, progress: Double(step) / Double(count), into: target)
    case .fade:
        fadeThroughBlack(from, to, step: step, count: count, into: target)
    case .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown:
        let strips = Strips(kind, size: target.size, step: step, count: count)
        strips.draw(from, to, into: target)
    }
}
