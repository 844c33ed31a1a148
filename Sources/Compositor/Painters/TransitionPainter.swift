import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws the transition from one stack to another. Both stacks are drawn onto full frames first.
/// `makeTransitionDrawing` makes the drawing of each kind.
final class TransitionPainter: LayerPainter {
    private let transition: Transition
    private let frameRate: FrameRate
    private let canvas: FrameSize
    private let from: StackPainter
    private let to: StackPainter
    private let drawing: any TransitionDrawing

    init(_ transition: Transition, _ context: PaintContext) throws(MediaError) {
        self.transition = transition
        frameRate = context.frameRate
        canvas = context.canvas
        from = try StackPainter(transition.from, context)
        to = try StackPainter(transition.to, context)
        var map: LumaMapReveal?
        if let wanted = transition.map {
            let picture = try StackPainter(wanted.picture, context.recording(in: nil)).picture(atFrame: 0)
            map = LumaMapReveal(picture, softness: wanted.softness, inverted: wanted.inverted)
        }
        drawing = try makeTransitionDrawing(transition.kind, size: context.canvas, map: map)
    }

    var isStill: Bool { false }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        let outgoing = try from.picture(atFrame: index)
        let incoming = try to.picture(atFrame: index)
        let (step, count) = transition.progress(atFrame: index, of: frameRate)
        let result = try VideoFrame(.yuv420, canvas)
        drawing.draw(outgoing, incoming, TransitionProgress(step: step, count: max(1, count)), into: result)
        return result
    }

    var repetition: Explanation.Repetition? { .everyFrame }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        guard let picture = try coveringPicture(atFrame: index) else { return .hidden }
        try surface.draw(RasterPicture(frame: picture), at: PixelRect(surface.size), opacity: 1, mode: .normal)
        return .blended(rect: PixelRect(surface.size), mode: .normal, opacity: 1, isOpaque: true)
    }
}
