import ExactTime
import ExportPlan
import Vocabulary

/// A frame of a transition between two pictures of one size, opaque or not, place by place.
/// - Parameters:
///   - range: the transition's range, in the film's time.
///   - time: the frame's time, in the film's time.
func referenceJoin(
    _ from: ReferencePicture, _ to: ReferencePicture, _ kind: TransitionKind, over range: TimeRange, at time: MediaTime,
    _ frameRate: FrameRate
) -> ReferencePicture {
    let size = FrameSize(width: from.width, height: from.height)
    let frames = frameRate.frames(in: range)
    let step = frameRate.firstFrame(atOrAfter: time) - frames.lowerBound
    var result = ReferencePicture(width: size.width, height: size.height)
    for y in 0..<size.height {
        for x in 0..<size.width {
            func parts(_ x: Int, _ y: Int) -> [ReferenceTransitionPart] {
                kind.referenceParts(x, y, size: size, step: step, count: frames.count)
            }
            // A pixel in which no picture has a share is black, which is opaque.
            var pixel = ReferencePicture.Pixel(alpha: 1 - parts(x, y).reduce(0) { $0 + $1.share })
            for part in parts(x, y) where part.share > 0 {
                let source = part.isIncoming ? to[part.x, part.y] : from[part.x, part.y]
                pixel.color += source.color * part.share
                pixel.alpha += source.alpha * part.share
                pixel.isSplit = pixel.isSplit || source.isSplit
                pixel.isMixed = pixel.isMixed || source.isMixed
                pixel.slope = max(pixel.slope, source.slope)
            }
            // A block to which both pictures contribute shares its chroma sample.
            let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map { parts(x / 2 * 2 + $0.0, y / 2 * 2 + $0.1) }
            pixel.isSplit = pixel.isSplit || Set(block.map { $0[0].isIncoming }).count > 1
            result[x, y] = pixel
        }
    }
    // A picture that has moved by an odd number of pixels is divided into chroma samples differently. The coverage of such
    // a sample at an edge reaches two pixels far where a group with it is enlarged.
    let slides: [TransitionKind] = [.slideLeft, .slideRight, .slideUp, .slideDown]
    let isOpaque = from.pixels.allSatisfy { $0.alpha == 1 } && to.pixels.allSatisfy { $0.alpha == 1 }
    if slides.contains(kind) { result.markEdges(reach: isOpaque ? 1 : 2) }
    return result
}
