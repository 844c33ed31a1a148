package import ExactTime
package import ExportPlan
import TextRendering
package import Media

/// Draws one instruction: its stack of layers at a frame number becomes one 8-bit 4:2:0 BT.709 picture. With 10-bit
/// pass-through nothing is composed, and the picture has 10 bits and its source's own colours.
///
/// Each layer gets one painter, which keeps what can be used again (an open source, a scaler, a rasterised still).
/// Pictures stay in Y'CbCr throughout, and a single opaque layer that covers the canvas is passed through untouched.
package final class Compositor {
    private let pictures: any PictureMaker
    private let readers: SourceReaders

    /// - Parameters:
    ///   - sources: every source that the instruction names, by content hash.
    ///   - format: a 10-bit format for pass-through in the source's own colours. Nil composes the layers in 8 bits.
    ///   - transparentFormat: a format with alpha for a film that keeps its transparency. Nil draws on black where
    ///     nothing is.
    ///   - primaries: those of the film, BT.709's or Display P3's.
    ///   - backwardFile: a path where no file is, for decoded frames of sources that play backwards; nil to keep them in
    ///     memory alone.
    ///   - decoderThreads: the most threads that decode a source; the pictures are the same whatever their number.
    ///   - damage: records defects of the sources that playback went past.
    /// - Throws: `MediaError` when a source cannot be opened or a font is missing.
    package init(
        _ instruction: Instruction, canvas: FrameSize, frameRate: FrameRate, sources: [String: SourceReference],
        passThroughFormat format: VideoFrame.Format? = nil, transparentFormat: VideoFrame.Format? = nil,
        primaries: ColorDescription.Primaries = .bt709, backwardFile: String? = nil,
        decoderThreads: Int = 1, damage: DamageLog? = nil
    ) throws(MediaError) {
        let context = PaintContext(
            instruction, canvas: canvas, frameRate: frameRate, primaries: primaries, sources: sources,
            backwardFile: backwardFile, decoderThreads: decoderThreads, damage: damage)
        readers = context.readers
        pictures = try makePictures(of: instruction, format, transparent: transparentFormat, context)
    }

    /// The picture of frame `index`, counted on the instruction's own timeline. It may be shared with the source's
    /// decoder, so it must not be written to.
    package func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        try pictures.picture(atFrame: index)
    }

    /// The time spent so far on reading and decoding sources: the part of `picture` that is not composing.
    package var decodingTime: Duration { readers.decodingTime }
}

/// Makes the pictures of an instruction: `StackPainter` composes them, `TransparentPictures` composes them with alpha,
/// `PassThroughPictures` passes them through in 10 bits.
protocol PictureMaker: AnyObject {
    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame
}

extension StackPainter: PictureMaker {}

/// - Parameters:
///   - format: a 10-bit format for pass-through. Nil composes the layers in 8 bits.
///   - transparent: a format with alpha. Nil composes on black.
func makePictures(
    of instruction: Instruction, _ format: VideoFrame.Format?, transparent: VideoFrame.Format?, _ context: PaintContext
) throws(MediaError) -> any PictureMaker {
    if let transparent { return try TransparentPictures(instruction.layers, transparent, context) }
    if let format { return try PassThroughPictures(instruction.layers, format, context) }
    return try StackPainter(instruction.layers, context)
}

/// What all painters of an instruction share.
struct PaintContext {
    var canvas: FrameSize
    var frameRate: FrameRate
    /// The primaries of the film, BT.709's or Display P3's. Everything that is composed has them.
    var primaries: ColorDescription.Primaries
    /// Converts drawn colours, which are those of sRGB, to the film's; nil where they are the same.
    var drawnColors: PrimariesMap?
    var readers: SourceReaders
    var auxiliarySources: AuxiliarySourceReader
    /// Whether the film keeps its transparency, so that not even its lowest layers need to cover everything.
    var keepsTransparency = false
    /// The log of what the painter that gets the context draws. Nil while a film is rendered.
    var log: DecisionLog?

    init(
        _ instruction: Instruction, canvas: FrameSize, frameRate: FrameRate, primaries: ColorDescription.Primaries = .bt709,
        sources: [String: SourceReference], backwardFile: String? = nil, decoderThreads: Int = 1,
        damage: DamageLog?
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.primaries = primaries
        drawnColors = PrimariesMap(from: .bt709, to: primaries)
        readers = SourceReaders(
            instruction.layers, frameRate: frameRate, primaries: primaries, sources: sources, backwardFile: backwardFile,
            decoderThreads: decoderThreads, damage: damage)
        auxiliarySources = AuxiliarySourceReader(sources: sources)
    }

    /// The same context for painters that record their decisions in `log`, or for painters that record none.
    func recording(in log: DecisionLog?) -> PaintContext {
        var result = self
        result.log = log
        return result
    }
}

/// Makes the painter for a layer's kind of content.
func makePainter(_ layer: Layer, _ context: PaintContext) throws(MediaError) -> any LayerPainter {
    if layer.transitions != nil { return try LayerTransitionPainter(layer, context) }
    switch layer.content {
    case .solid(let color):
        return SolidPainter(context.drawnColors?.map(color) ?? color, context.canvas)
    case .video(let source, let timing):
        if layer.transform != nil {
            return try TransformedLayerPainter(layer, SourcePicture(layer, source, timing, context), context)
        }
        return try PicturePainter(layer, source, timing: timing, context)
    case .still(let source):
        if layer.transform != nil {
            return try TransformedLayerPainter(layer, SourcePicture(layer, source, nil, context), context)
        }
        return try PicturePainter(layer, source, timing: nil, context)
    case .blurred(let inner, let deviation):
        return try BlurredPainter(inner, deviation: deviation, context)
    case .transition(let transition):
        return try TransitionPainter(transition, context)
    case .group(let layers, let size):
        return try TransformedLayerPainter(layer, GroupPicture(layers, size, context), context)
    case .text(let text):
        return try TransformedLayerPainter(layer, textPicture(text, of: layer, context), context)
    case .shape(let shape):
        return try TransformedLayerPainter(layer, shapePicture(shape, of: layer, context), context)
    case .captions(let captions):
        let coversFrame = layer.operations != nil || layer.mask != nil
        return try TransformedLayerPainter(layer, CaptionPicture(captions, coversFrame: coversFrame, context), context)
    case .generator(let generated):
        return try TransformedLayerPainter(layer, GeneratorPicture(generated, of: layer, context), context)
    case .adjustment:
        return try AdjustmentPainter(layer, context)
    }
}

private func textPicture(
    _ text: TextContent, of layer: Layer, _ context: PaintContext
) throws(MediaError) -> any LayerPicture {
    let fonts = try context.readers.fontLibrary()
    let isExact = text.changesSize
    let typesetter: Typesetter
    do throws(TextRenderingError) {
        typesetter = try Typesetter(fonts: fonts, placement: isExact ? .exact : .wholePixels)
    } catch { throw MediaError(error) }
    func picture(_ text: TextContent) throws(MediaError) -> any LayerPicture {
        guard let animation = text.animation else {
            return try DrawnLayerPicture(text, of: layer, isExact: isExact, typesetter, context.drawnColors)
        }
        return try AnimatedTextPicture(text, animation, of: layer, isExact: isExact, typesetter, context)
    }
    return text.numbers == nil ? try picture(text) : AnimatedDrawing(text, context, picture)
}

private func shapePicture(
    _ shape: ShapeContent, of layer: Layer, _ context: PaintContext
) throws(MediaError) -> any LayerPicture {
    let isExact = shape.changesSize
    func picture(_ shape: ShapeContent) throws(MediaError) -> any LayerPicture {
        try DrawnLayerPicture(shape, of: layer, isExact: isExact, context.drawnColors)
    }
    return shape.numbers == nil ? try picture(shape) : AnimatedDrawing(shape, context, picture)
}

/// The mixer that a layer is joined with what lies below by, or nil for a layer without one.
func layerMixer(of layer: Layer, _ context: PaintContext) throws(MediaError) -> CalledPlugin? {
    guard let mixer = layer.mixer else { return nil }
    return try CalledPlugin(mixer, context)
}

/// The painter of a layer's mask, or nil for a layer without a mask.
func maskPainter(of layer: Layer, _ context: PaintContext) throws(MediaError) -> MaskPainter? {
    guard let mask = layer.mask else { return nil }
    return try MaskPainter(mask, context)
}
