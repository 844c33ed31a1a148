import TextRendering
import ExactTime
import ExportPlan
import Media

/// The captions of a caption file that are visible at a time, in the frame that they are laid out for.
final class CaptionPicture: LayerPicture {
    let width: Double
    let height: Double
    /// Where the frame begins in the samples of the last picture.
    private var origin: (x: Double, y: Double) = (0, 0)
    private let painter: CaptionPainter
    private let start: MediaTime
    private let frameRate: FrameRate
    private let colors: PrimariesMap?
    private let nothing: RasterPicture
    private var last: RasterPicture

    /// - Parameter coversFrame: whether the pictures are as large as the frame. Operations and masks need that, because
    ///   their effect may reach beyond the captions.
    init(_ content: CaptionContent, coversFrame: Bool, _ context: PaintContext) throws(MediaError) {
        (width, height) = (Double(content.size.width), Double(content.size.height))
        start = content.start
        frameRate = context.frameRate
        colors = context.drawnColors
        let (file, path) = try context.auxiliarySources.captionFile(content.source)
        let fonts = try context.readers.fontLibrary()
        do throws(CaptionError) {
            painter = try CaptionPainter(file, content, fonts: fonts, coversFrame: coversFrame, subject: path)
        } catch {
            throw MediaError(error)
        }
        let size = coversFrame ? content.size : FrameSize(width: 2, height: 2)
        nothing = try Surface(transparent: size).picture
        last = nothing
    }

    var isStill: Bool { false }

    var repetition: Explanation.Repetition { .whenSourceChanges }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap { map.beginning(at: origin) }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let outcome: CaptionPainter.Outcome
        do throws(CaptionError) {
            outcome = try painter.draw(at: frameRate.time(ofFrame: index) - start)
        } catch {
            throw MediaError(error)
        }
        switch outcome {
        case .same: break
        case .nothing:
            origin = (0, 0)
            last = nothing
        case .picture(let picture):
            origin = (Double(picture.origin.x), Double(picture.origin.y))
            last = try RasterPicture(picture, colors)
        }
        return last
    }
}
