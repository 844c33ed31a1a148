import ExportPlan
import Media
import Vocabulary

/// The transitions that move samples without mixing them: wipes and slides. Along one axis, the frame consists of two
/// strips, one from each picture.
///
/// A wipe shows both pictures in their places, cut at an edge. The edge is at `W(1-p)` for a wipe to the left and at
/// `Wp` for a wipe to the right; up and down are alike. A slide moves both pictures by `round(W p)`. Where an edge or a
/// move falls inside a 4:2:0 chroma sample, that sample is the mean of the chroma of its two luma columns (or rows).
struct StripTransition: TransitionDrawing {
    private let kind: TransitionKind

    init(_ kind: TransitionKind) {
        self.kind = kind
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let strips = Strips(kind, size: target.size, step: progress.step, count: progress.count)
        strips.draw(from, to, into: target)
    }
}

/// The two strips of one frame.
private struct Strips {
    private struct Strip {
        var isIncoming: Bool
        /// Where the strip begins in its picture.
        var offset: Int
        var length: Int
    }

    private let first: Strip
    private let second: Strip
    private let isHorizontal: Bool

    init(_ kind: TransitionKind, size: FrameSize, step: Int, count: Int) {
        isHorizontal = [.wipeLeft, .wipeRight, .slideLeft, .slideRight].contains(kind)
        let extent = isHorizontal ? size.width : size.height
        // The first whole pixel at or behind this fraction of the extent.
        func ceiling(_ part: Int) -> Int { (extent * part + count - 1) / count }
        let moved = (2 * extent * step + count) / (2 * count)
        switch kind {
        case .wipeLeft, .wipeUp:
            let edge = ceiling(count - step)
            first = Strip(isIncoming: false, offset: 0, length: edge)
            second = Strip(isIncoming: true, offset: edge, length: extent - edge)
        case .wipeRight, .wipeDown:
            let edge = ceiling(step)
            first = Strip(isIncoming: true, offset: 0, length: edge)
            second = Strip(isIncoming: false, offset: edge, length: extent - edge)
        case .slideLeft, .slideUp:
            first = Strip(isIncoming: false, offset: moved, length: extent - moved)
            second = Strip(isIncoming: true, offset: 0, length: moved)
        default:
            first = Strip(isIncoming: true, offset: extent - moved, length: moved)
            second = Strip(isIncoming: false, offset: 0, length: extent - moved)
        }
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, into target: VideoFrame) {
        for index in 0..<3 {
            let planes = (from.plane(index), to.plane(index))
            isHorizontal
                ? drawColumns(planes, isChroma: index > 0, into: target.plane(index))
                : drawRows(planes, isChroma: index > 0, into: target.plane(index))
        }
    }

    /// The picture, and its full-resolution column (or row), that shows at `position`.
    private func source(_ position: Int) -> (isIncoming: Bool, position: Int) {
        position < first.length
            ? (first.isIncoming, first.offset + position) : (second.isIncoming, second.offset + position - first.length)
    }

    private func drawColumns(_ planes: (from: Plane, to: Plane), isChroma: Bool, into target: Plane) {
        let isAligned = first.length % 2 == 0 && first.offset % 2 == 0 && second.offset % 2 == 0
        for y in 0..<target.height {
            let out = target.row(y)
            let rows = (planes.from.row(y), planes.to.row(y))
            if !isChroma || isAligned {
                let scale = isChroma ? 2 : 1
                let start = (first.isIncoming ? rows.1 : rows.0) + first.offset / scale
                out.update(from: start, count: first.length / scale)
                let rest = (second.isIncoming ? rows.1 : rows.0) + second.offset / scale
                (out + first.length / scale).update(from: rest, count: target.width - first.length / scale)
            } else {
                for x in 0..<target.width {
                    let (left, right) = (source(2 * x), source(2 * x + 1))
                    let a = (left.isIncoming ? rows.1 : rows.0)[left.position / 2]
                    let b = (right.isIncoming ? rows.1 : rows.0)[right.position / 2]
                    out[x] = UInt8((UInt16(a) + UInt16(b) + 1) / 2)
                }
            }
        }
    }

    private func drawRows(_ planes: (from: Plane, to: Plane), isChroma: Bool, into target: Plane) {
        func row(_ place: (isIncoming: Bool, position: Int)) -> UnsafeMutablePointer<UInt8> {
            (place.isIncoming ? planes.to : planes.from).row(isChroma ? place.position / 2 : place.position)
        }
        for y in 0..<target.height {
            let out = target.row(y)
            let upper = row(source(isChroma ? 2 * y : y))
            let lower = isChroma ? row(source(2 * y + 1)) : upper
            if upper == lower {
                out.update(from: upper, count: target.width)
            } else {
                for x in 0..<target.width { out[x] = UInt8((UInt16(upper[x]) + UInt16(lower[x]) + 1) / 2) }
            }
        }
    }
}
