public import ExactTime
public import ExportPlan
import Lettering
public import Media

/// Draws one instruction: its stack of layers at a frame number becomes one 8-bit 4:2:0 BT.709 picture, or where nothing is composed one
/// of 10 bits in its source's own colours.
///
/// Layers turn into painters once; a painter keeps what it can use again (an open source, a scaler, a rasterised still).
/// Pictures stay in Y'CbCr throughout, and a single opaque layer that covers the canvas is handed on untouched.
public final class Compositor {
    private let stack: any PictureMaker
    private let readers: SourceReaders

    /// - Parameters:
    ///   - sources: by content hash; every source that the instruction names.
    ///   - format: of 10 bits, for pictures in their sources' own colours; nil composes them.
    ///   - damage: is told what of the sources is not as it should be, and is played over.
    /// - Throws: `MediaError` when a source cannot be opened, or a font is not there.
    public init(
        _ instruction: Instruction, canvas: FrameSize, frameRate: FrameRate, sources: [String: SourceReference],
        keepingColorsIn format: VideoFrame.Format? = nil, damage: DamageLog? = nil
    ) throws(MediaError) {
        readers = SourceReaders(instruction.layers, sources: sources, damage: damage)
        let context = PaintContext(
            canvas: canvas, frameRate: frameRate, readers: readers, documents: SourceDocuments(sources: sources))
        if let format {
            stack = try KeptPictures(instruction.layers, format, context)
        } else {
            stack = try StackPainter(instruction.layers, context)
        }
    }

    /// The picture of frame `index`, counted on the instruction's own timeline. It may be shared with the source's
    /// decoder: read it, do not write it.
    public func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        try stack.picture(atFrame: index)
    }

    /// How the picture of frame `index` is made. Draws what has to be drawn to know.
    public func program(atFrame index: Int) throws(MediaError) -> StackProgram {
        try stack.program(atFrame: index)
    }

    /// Time spent reading and decoding sources so far: the part of `picture` that is not composing.
    public var decodingTime: Duration { readers.decodingTime }
}

/// What makes the pictures of an instruction.
protocol PictureMaker: AnyObject {
    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame
    func program(atFrame index: Int) throws(MediaError) -> StackProgram
}

extension StackPainter: PictureMaker {
    func program(atFrame index: Int) throws(MediaError) -> StackProgram { try program(atFrame: index, onNothing: false) }
}

/// What every painter of an instruction knows.
struct PaintContext {
    var canvas: FrameSize
    var frameRate: FrameRate
    var readers: SourceReaders
    var documents: SourceDocuments
}

/// One painter for each kind of content.
func makePainter(_ layer: Layer, _ context: PaintContext) throws(MediaError) -> any LayerPainter {
    switch layer.content {
    case .solid(let color):
        return SolidPainter(color, context.canvas)
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
    let isExact = text.changesBox
    let typesetter: Typesetter
    do throws(LetteringError) {
        typesetter = try Typesetter(fonts: fonts, placement: isExact ? .exact : .wholePixels)
    } catch { throw MediaError(error) }
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
