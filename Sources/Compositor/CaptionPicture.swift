import Captions
import ExactTime
import ExportPlan
import Lettering
import Media

/// The captions of a file that are seen at an instant, in the frame that they are laid out for.
final class CaptionPicture: LayerPicture {
    let width: Double
    let height: Double
    /// Where the frame begins in the samples of the last picture.
    private var origin: (x: Double, y: Double) = (0, 0)
    private let source: String
    private let painter: CaptionPainter
    private let start: MediaTime
    private let frameRate: FrameRate
    private let nothing: RasterPicture
    private var last: RasterPicture

    /// - Parameter coversFrame: whether pictures are as large as the frame: what operations and masks do may reach beyond the captions.
    init(_ content: CaptionContent, coversFrame: Bool, _ context: PaintContext) throws(MediaError) {
        (width, height) = (Double(content.size.width), Double(content.size.height))
        source = content.source
        start = content.start
        frameRate = context.frameRate
        let (file, path) = try context.documents.captionFile(content.source)
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

    func program(atFrame index: Int) -> LayerPictureProgram {
        LayerPictureProgram(.captions(source: source), repetition: .whenSourceChanges)
    }

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
            last = try RasterPicture(picture)
        }
        return last
    }
}
