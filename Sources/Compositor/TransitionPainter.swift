import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws the passing of one stack into another. Both are drawn onto full frames first;
/// the kinds themselves are in `makeTransitionDrawing`.
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
            let picture = try StackPainter(wanted.picture, context).picture(atFrame: 0)
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

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        guard let picture = try coveringPicture(atFrame: index) else { return }
        try surface.draw(RasterPicture(frame: picture), at: PixelRect(surface.size), opacity: 1, mode: .normal)
    }

    func program(atFrame index: Int, onOpaque isOpaque: Bool) throws(MediaError) -> LayerProgram {
        LayerProgram(
            .transition(
                kind: transition.kind, from: try from.program(atFrame: index), to: try to.program(atFrame: index)),
            repetition: .everyFrame,
            joining: .blended(rect: PixelRect(canvas), mode: .normal, opacity: 1, isOpaque: true))
    }
}
