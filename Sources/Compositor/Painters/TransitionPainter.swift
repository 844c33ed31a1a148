import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Draws the transition from one stack to another. Both stacks are drawn onto full frames first.
/// `makeTransitionDrawing` makes the drawing of each kind, except of those that a plug-in draws.
final class TransitionPainter: LayerPainter {
    private let transition: Transition
    private let frameRate: FrameRate
    private let canvas: FrameSize
    private let from: StackPainter
    private let to: StackPainter
    private let drawing: Drawing
    private let keepsTransparency: Bool
    private let log: DecisionLog?
    private var last: (index: Int, picture: RasterPicture)?

    private enum Drawing {
        case builtIn(any TransitionDrawing)
        case mixer(MixerTransition)
    }

    init(_ transition: Transition, _ context: PaintContext) throws(MediaError) {
        self.transition = transition
        frameRate = context.frameRate
        canvas = context.canvas
        keepsTransparency = context.keepsTransparency
        log = context.log
        from = try StackPainter(transition.from, context)
        to = try StackPainter(transition.to, context)
        var map: LumaMapReveal?
        if let wanted = transition.map {
            let picture = try StackPainter(wanted.picture, context.recording(in: nil)).picture(atFrame: 0)
            map = LumaMapReveal(picture, softness: wanted.softness, inverted: wanted.inverted)
        }
        if let mixer = transition.mixer {
            drawing = .mixer(try MixerTransition(mixer, size: context.canvas, context))
        } else {
            drawing = .builtIn(try makeTransitionDrawing(transition.kind, size: context.canvas, map: map))
        }
    }

    var isStill: Bool { false }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        let picture = try picture(atFrame: index)
        return picture.alpha == nil ? picture.frame : nil
    }

    func wholePicture(atFrame index: Int) throws(MediaError) -> RasterPicture? { try picture(atFrame: index) }

    var repetition: Explanation.Repetition? { .everyFrame }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) -> Explanation.Compositing {
        let picture = try picture(atFrame: index)
        try surface.draw(picture, at: PixelRect(surface.size), opacity: 1, mode: .normal)
        return .blended(rect: PixelRect(surface.size), mode: .normal, opacity: 1, isOpaque: picture.alpha == nil)
    }

    private func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        if let last, last.index == index { return last.picture }
        let (step, count) = transition.progress(atFrame: index, of: frameRate)
        let progress = TransitionProgress(step: step, count: max(1, count))
        let (outgoing, incoming) = (try picture(of: from, atFrame: index), try picture(of: to, atFrame: index))
        let picture: RasterPicture
        switch drawing {
        case .mixer(let mixer):
            picture = try mixer.drawn(
                from: outgoing, to: incoming, progress, at: frameRate.time(ofFrame: index), log)
        case .builtIn(let drawing) where keepsTransparency:
            picture = try drawing.drawTransparent(outgoing, incoming, progress, canvas)
        case .builtIn(let drawing):
            let result = try VideoFrame(.yuv420, canvas)
            drawing.draw(outgoing.frame, incoming.frame, progress, into: result)
            picture = RasterPicture(frame: result)
        }
        // A transparent picture is asked for twice, first whether it covers the canvas.
        if keepsTransparency { last = (index, picture) }
        return picture
    }

    private func picture(of stack: StackPainter, atFrame index: Int) throws(MediaError) -> RasterPicture {
        if keepsTransparency { return try stack.filmPicture(atFrame: index) }
        return RasterPicture(frame: try stack.picture(atFrame: index))
    }
}
