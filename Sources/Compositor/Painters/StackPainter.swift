import ExactTime
import ExportPlan
import Media

/// Draws a stack of layers, beginning with the highest one that hides everything below it. The lowest layers, as far as
/// they stay the same, are composed once and then used again as one picture.
final class StackPainter {
    private let layers: [RecordedPainter]
    private let size: FrameSize
    private let frameRate: FrameRate
    /// The still layers that have been composed into one picture.
    private var kept: (painters: [ObjectIdentifier], picture: RasterPicture)?
    private let log: DecisionLog?
    /// How often the picture that was drawn last is drawn.
    private(set) var repetition = Explanation.Repetition.everyFrame

    init(_ layers: [Layer], _ context: PaintContext) throws(MediaError) {
        size = context.canvas
        frameRate = context.frameRate
        log = context.log?.part(.stack(size: context.canvas))
        let inside = context.recording(in: log)
        self.layers = try layers.map { layer throws(MediaError) in try RecordedPainter(layer, inside) }
    }

    /// Whether the stack's picture is the same in every frame.
    var isStill: Bool { layers.allSatisfy { $0.painter.isStill && $0.layer.timeRange == nil } }

    /// The stack as an opaque picture. Its lowest layer covers everything.
    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        try joined(try order(atFrame: index, onTransparentBackground: false), atFrame: index).frame
    }

    /// The stack on a transparent background. The picture has no alpha if a layer covers everything.
    func transparentPicture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        try joined(try order(atFrame: index, onTransparentBackground: true), atFrame: index)
    }

    /// The picture of a film that keeps its transparency. A layer that is alone and covers the canvas is passed through
    /// with the pixels that it was made of.
    func filmPicture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let order = try order(atFrame: index, onTransparentBackground: true)
        if order.background == nil, order.painters.count == 1,
            let whole = try order.painters[0].painter.wholePicture(atFrame: index)
        {
            log?.note(.stacking(isOpaque: false, hiddenLayers: order.hidden, cachedLayers: 0))
            order.painters[0].note(.passedThrough)
            return whole
        }
        return try joined(order, atFrame: index)
    }

    /// What is drawn in a frame.
    private struct Order {
        /// From the lowest up, without hidden layers.
        let painters: [RecordedPainter]
        /// The lowest painter's picture if it covers everything.
        let background: VideoFrame?
        /// How many painters are left out because a layer covers them.
        let hidden: Int
        /// Whether the surface is opaque.
        let isOpaque: Bool

        /// Whether a single picture covers everything.
        let isAlone: Bool
        /// How many of the lowest painters are composed once and kept. A single picture that covers everything is not
        /// counted, because its own painter keeps it.
        let keptCount: Int

        init(painters: [RecordedPainter], background: VideoFrame? = nil, hidden: Int, isOpaque: Bool) {
            self.painters = painters
            self.background = background
            self.hidden = hidden
            self.isOpaque = isOpaque
            isAlone = background != nil && painters.count == 1
            let stillCount = painters.prefix { $0.painter.isStill }.count
            keptCount = !isAlone && (stillCount > 1 || stillCount == painters.count) ? stillCount : 0
        }

        /// How often the stack's picture is drawn.
        var repetition: Explanation.Repetition {
            if keptCount == painters.count { return .once }
            return isAlone ? painters[0].painter.repetition ?? .everyFrame : .everyFrame
        }
    }

    private func order(atFrame index: Int, onTransparentBackground: Bool) throws(MediaError) -> Order {
        let time = frameRate.time(ofFrame: index)
        let visible = layers.filter { $0.layer.isVisible(at: time) }
        for (place, painter) in visible.enumerated().reversed() {
            guard let background = try painter.coveringPicture(atFrame: index) else { continue }
            let above = Array(visible[place...])
            // A group's layer that removes coverage must leave the group transparent there. On an opaque surface it
            // would leave black.
            if onTransparentBackground, above.contains(where: \.painter.mayReduceCoverage) {
                return Order(painters: above, hidden: place, isOpaque: false)
            }
            return Order(painters: above, background: background, hidden: place, isOpaque: true)
        }
        return Order(painters: visible, hidden: 0, isOpaque: !onTransparentBackground)
    }

    private func joined(_ order: Order, atFrame index: Int) throws(MediaError) -> RasterPicture {
        let keptCount = order.keptCount
        log?.note(.stacking(isOpaque: order.isOpaque, hiddenLayers: order.hidden, cachedLayers: keptCount))
        repetition = order.repetition
        log?.note(.repetition(repetition))
        if let background = order.background {
            order.painters[0].note(order.isAlone ? .passedThrough : .background)
            if order.isAlone { return RasterPicture(frame: background) }
        }
        let surface: Surface
        if keptCount > 0 {
            let still = try cachedPicture(order, keptCount, atFrame: index)
            if keptCount == order.painters.count { return still }
            surface = try Surface(copying: still)
        } else {
            surface = try emptySurface(order)
        }
        try paint(order.painters[keptCount...], of: order, onto: surface, atFrame: index)
        return surface.picture
    }

    private func cachedPicture(_ order: Order, _ count: Int, atFrame index: Int) throws(MediaError) -> RasterPicture {
        let painters = order.painters.prefix(count).map { ObjectIdentifier($0.painter) }
        if let kept, kept.painters == painters, (kept.picture.alpha == nil) == order.isOpaque { return kept.picture }
        let surface = try emptySurface(order)
        try paint(order.painters[..<count], of: order, onto: surface, atFrame: index)
        kept = (painters, surface.picture)
        return surface.picture
    }

    private func emptySurface(_ order: Order) throws(MediaError) -> Surface {
        if let background = order.background { return try Surface(copying: RasterPicture(frame: background)) }
        let empty = try Surface(transparent: size)
        // Black shows where no layer of an opaque picture covers.
        if order.isOpaque { empty.alpha = nil }
        return empty
    }

    /// Paints the painters in order. A background picture is on the surface already and is left out.
    private func paint(
        _ painters: ArraySlice<RecordedPainter>, of order: Order, onto surface: Surface, atFrame index: Int
    ) throws(MediaError) {
        for painter in painters.dropFirst(order.background != nil && painters.startIndex == 0 ? 1 : 0) {
            try painter.paint(onto: surface, atFrame: index)
        }
    }
}
