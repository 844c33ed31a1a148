import ExactTime
import ExportPlan
import Media

/// Draws a stack of layers, from the highest one that hides everything below it. The lowest layers that stay the same are joined
/// once, and then used again as one picture.
final class StackPainter {
    private let layers: [(layer: Layer, painter: any LayerPainter)]
    private let size: FrameSize
    private let frameRate: FrameRate
    /// Still layers that have been joined.
    private var kept: (painters: [ObjectIdentifier], picture: RasterPicture)?

    init(_ layers: [Layer], _ context: PaintContext) throws(MediaError) {
        size = context.canvas
        frameRate = context.frameRate
        var painters: [(layer: Layer, painter: any LayerPainter)] = []
        for layer in layers { painters.append((layer, try makePainter(layer, context))) }
        self.layers = painters
    }

    /// Whether its picture is the same in every frame.
    var isStill: Bool { layers.allSatisfy { $0.painter.isStill && $0.layer.timeRange == nil } }

    /// The stack as an opaque picture; its lowest layer covers everything.
    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        try joined(try order(atFrame: index, onNothing: false), atFrame: index).frame
    }

    /// The stack on nothing; without alpha where a layer covers everything.
    func transparentPicture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        try joined(try order(atFrame: index, onNothing: true), atFrame: index)
    }

    /// - Parameter onNothing: whether the stack is drawn on nothing; else its lowest layer covers everything.
    func program(atFrame index: Int, onNothing: Bool = false) throws(MediaError) -> StackProgram {
        let order = try order(atFrame: index, onNothing: onNothing)
        var programs: [LayerProgram] = []
        for painter in order.painters { programs.append(try painter.program(atFrame: index, onOpaque: order.isOpaque)) }
        if order.ground != nil { programs[0].joining = programs.count == 1 ? .handedOn : .ground }
        for place in 0..<order.keptCount where programs[place].content == .adjustment { programs[place].repetition = .once }
        return StackProgram(
            size: size, isOpaque: order.isOpaque, hiddenLayers: order.hidden, keptLayers: order.keptCount, layers: programs)
    }

    /// What is to be drawn at a frame.
    private struct Order {
        /// From the lowest up, without what is hidden.
        var painters: [any LayerPainter]
        /// The lowest painter's picture, when it covers everything.
        var ground: VideoFrame?
        /// Painters that are left out, because something covers them.
        var hidden: Int
        /// Whether the surface is opaque.
        var isOpaque: Bool

        /// As many of the lowest painters are joined once. A single picture that covers everything is kept by its own painter.
        var keptCount: Int {
            let stillCount = painters.prefix { $0.isStill }.count
            let isAlone = ground != nil && painters.count == 1
            return !isAlone && (stillCount > 1 || stillCount == painters.count) ? stillCount : 0
        }
    }

    private func order(atFrame index: Int, onNothing: Bool) throws(MediaError) -> Order {
        let time = frameRate.time(ofFrame: index)
        let visible = layers.compactMap { $0.layer.isVisible(at: time) ? $0.painter : nil }
        for (place, painter) in visible.enumerated().reversed() {
            guard let ground = try painter.coveringPicture(atFrame: index) else { continue }
            let above = Array(visible[place...])
            // What a group's own layers take away from an opaque ground leaves nothing there, and no black.
            if onNothing, above.contains(where: \.uncovers) {
                return Order(painters: above, hidden: place, isOpaque: false)
            }
            return Order(painters: above, ground: ground, hidden: place, isOpaque: true)
        }
        return Order(painters: visible, hidden: 0, isOpaque: !onNothing)
    }

    private func joined(_ order: Order, atFrame index: Int) throws(MediaError) -> RasterPicture {
        if let ground = order.ground, order.painters.count == 1 { return RasterPicture(frame: ground) }
        let surface: Surface
        let keptCount = order.keptCount
        if keptCount > 0 {
            let still = try keptPicture(order, keptCount, atFrame: index)
            if keptCount == order.painters.count { return still }
            surface = try Surface(copying: still)
        } else {
            surface = try emptySurface(order)
        }
        try paint(order.painters[keptCount...], of: order, onto: surface, atFrame: index)
        return surface.picture
    }

    private func keptPicture(_ order: Order, _ count: Int, atFrame index: Int) throws(MediaError) -> RasterPicture {
        let painters = order.painters.prefix(count).map { ObjectIdentifier($0) }
        if let kept, kept.painters == painters, (kept.picture.alpha == nil) == order.isOpaque { return kept.picture }
        let surface = try emptySurface(order)
        try paint(order.painters[..<count], of: order, onto: surface, atFrame: index)
        kept = (painters, surface.picture)
        return surface.picture
    }

    private func emptySurface(_ order: Order) throws(MediaError) -> Surface {
        if let ground = order.ground { return try Surface(copying: RasterPicture(frame: ground)) }
        return order.isOpaque ? Surface(opaque: try VideoFrame(.yuv420, size)) : try Surface(transparent: size)
    }

    /// A ground is on the surface already.
    private func paint(
        _ painters: ArraySlice<any LayerPainter>, of order: Order, onto surface: Surface, atFrame index: Int
    ) throws(MediaError) {
        for painter in painters.dropFirst(order.ground != nil && painters.startIndex == 0 ? 1 : 0) {
            try painter.paint(onto: surface, atFrame: index)
        }
    }
}
