import ExportPlan
import Media

/// A layer's painter, and the log in which it records its decisions.
struct RecordedPainter {
    let layer: Layer
    let painter: any LayerPainter
    private let log: DecisionLog?

    init(_ layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.layer = layer
        log = context.log?.part(layer.content.subject)
        painter = try makePainter(layer, context.recording(in: log))
    }

    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? {
        try painter.coveringPicture(atFrame: index)
    }

    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError) {
        note(try painter.paint(onto: surface, atFrame: index))
    }

    /// Records how the layer's picture was made and is used, after it was drawn.
    func note(_ compositing: Explanation.Compositing) {
        guard let log else { return }
        if compositing != .hidden, let repetition = painter.repetition { log.note(.repetition(repetition)) }
        log.note(.compositing(compositing))
    }
}
