public import ExactTime
public import ExportPlan
import Lettering
public import Media

/// Draws one instruction: its stack of layers at a frame number becomes one 8-bit 4:2:0 BT.709 picture.
///
/// Layers turn into painters once; a painter keeps what it can use again (an open source, a scaler, a rasterised still).
/// Pictures stay in Y'CbCr throughout, and a single opaque layer that covers the canvas is handed on untouched.
public final class Compositor {
    private let stack: StackPainter
    private let readers: SourceReaders

    /// - Parameters:
    ///   - sources: by content hash; every source that the instruction names.
    /// - Throws: `MediaError` when a source cannot be opened, or a font is not there.
    public init(
        _ instruction: Instruction, canvas: FrameSize, frameRate: FrameRate, sources: [String: SourceReference]
    ) throws(MediaError) {
        readers = SourceReaders(instruction.layers, sources: sources)
        stack = try StackPainter(
            instruction.layers,
            PaintContext(
                canvas: canvas, frameRate: frameRate, readers: readers, documents: SourceDocuments(sources: sources)))
    }

    /// The picture of frame `index`, counted on the instruction's own timeline. It may be shared with the source's
    /// decoder: read it, do not write it.
    public func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        try stack.picture(atFrame: index)
    }

    /// Time spent reading and decoding sources so far: the part of `picture` that is not composing.
    public var decodingTime: Duration { readers.decodingTime }
}

/// What every painter of an instruction knows.
struct PaintContext {
    var canvas: FrameSize
    var frameRate: FrameRate
    var readers: SourceReaders
    var documents: SourceDocuments
}

/// Draws one layer. `Compositor` owns the painters; each is used by one thread, with frame numbers rising or falling.
protocol LayerPainter: AnyObject {
    /// The layer as a picture of the whole canvas, if it covers the canvas without letting anything through; else nil.
    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame?
    /// Draws the layer over what is there.
    func paint(onto surface: Surface, atFrame index: Int) throws(MediaError)
}

extension LayerPainter {
    func coveringPicture(atFrame index: Int) throws(MediaError) -> VideoFrame? { nil }
}

/// Draws a stack of layers, from the highest one that hides everything below it.
final class StackPainter {
    private let layers: [(layer: Layer, painter: any LayerPainter)]
    private let size: FrameSize
    private let frameRate: FrameRate

    init(_ layers: [Layer], _ context: PaintContext) throws(MediaError) {
        size = context.canvas
        frameRate = context.frameRate
        var painters: [(layer: Layer, painter: any LayerPainter)] = []
        for layer in layers { painters.append((layer, try makePainter(layer, context))) }
        self.layers = painters
    }

    /// The stack as an opaque picture; its lowest layer covers everything.
    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        let visible = painters(atFrame: index)
        for (place, painter) in visible.enumerated().reversed() {
            guard let base = try painter.coveringPicture(atFrame: index) else { continue }
            if place == visible.count - 1 { return base }
            // The picture may be the decoder's own.
            let surface = Surface(opaque: try VideoFrame(.yuv420, size))
            for plane in 0..<3 { Blend.copy(base.plane(plane), into: surface.frame.plane(plane)) }
            for painter in visible[(place + 1)...] { try painter.paint(onto: surface, atFrame: index) }
            return surface.frame
        }
        let surface = Surface(opaque: try VideoFrame(.yuv420, size))
        for painter in visible { try painter.paint(onto: surface, atFrame: index) }
        return surface.frame
    }

    /// The stack on nothing.
    func transparentPicture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let surface = try Surface(transparent: size)
        for painter in painters(atFrame: index) { try painter.paint(onto: surface, atFrame: index) }
        return surface.picture
    }

    private func painters(atFrame index: Int) -> [any LayerPainter] {
        let time = frameRate.time(ofFrame: index)
        return layers.compactMap { $0.layer.isVisible(at: time) ? $0.painter : nil }
    }
}

/// One painter for each kind of content.
func makePainter(_ layer: Layer, _ context: PaintContext) throws(MediaError) -> any LayerPainter {
    switch layer.content {
    case .solid(let color):
        return SolidPainter(color)
    case .video(let source, let timing):
        if layer.transform != nil { return try FreePainter(layer, SourcePicture(layer, source, timing, context), context) }
        return try PicturePainter(layer, source, timing: timing, context)
    case .still(let source):
        if layer.transform != nil { return try FreePainter(layer, SourcePicture(layer, source, nil, context), context) }
        return try PicturePainter(layer, source, timing: nil, context)
    case .blurred(let inner, let deviation):
        return try BlurredPainter(inner, deviation: deviation, context)
    case .transition(let transition):
        return try TransitionPainter(transition, context)
    case .group(let layers, let size):
        return try FreePainter(layer, GroupPicture(layers, size, context), context)
    case .text(let text):
        return try FreePainter(layer, textPicture(text, of: layer, context), context)
    case .shape(let shape):
        return try FreePainter(layer, shapePicture(shape, of: layer, context), context)
    case .captions(let captions):
        let coversFrame = layer.operations != nil || layer.mask != nil
        return try FreePainter(layer, CaptionPicture(captions, coversFrame: coversFrame, context), context)
    case .adjustment:
        return try AdjustmentPainter(layer, context)
    }
}

private func textPicture(
    _ text: TextContent, of layer: Layer, _ context: PaintContext
) throws(MediaError) -> any LayerPicture {
    let fonts = try context.readers.fontLibrary()
    let typesetter: Typesetter
    do throws(LetteringError) { typesetter = try Typesetter(fonts: fonts) } catch { throw MediaError(error) }
    let isExact = text.changesBox
    func picture(_ text: TextContent) throws(MediaError) -> any LayerPicture {
        guard let animation = text.animation else {
            return try DrawnLayerPicture(text, of: layer, isExact: isExact, typesetter)
        }
        return try AnimatedTextPicture(text, animation, of: layer, isExact: isExact, typesetter, context)
    }
    return text.numbers == nil ? try picture(text) : ChangingDrawing(text, context, picture)
}

private func shapePicture(
    _ shape: ShapeContent, of layer: Layer, _ context: PaintContext
) throws(MediaError) -> any LayerPicture {
    let isExact = shape.changesBox
    func picture(_ shape: ShapeContent) throws(MediaError) -> any LayerPicture {
        try DrawnLayerPicture(shape, of: layer, isExact: isExact)
    }
    return shape.numbers == nil ? try picture(shape) : ChangingDrawing(shape, context, picture)
}

/// Nil for a layer without a mask.
func maskPainter(of layer: Layer, _ context: PaintContext) throws(MediaError) -> MaskPainter? {
    guard let mask = layer.mask else { return nil }
    return try MaskPainter(mask, context)
}
