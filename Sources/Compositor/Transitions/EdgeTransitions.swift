import ExportPlan
import Media
import Operations
import Vocabulary
import Glibc

/// B comes in from all corners but one: A keeps a shrinking rectangle in that corner.
struct CornerWipe: TransitionDrawing {
    private let keepsLeft: Bool
    private let keepsTop: Bool

    init(_ kind: TransitionKind) {
        keepsLeft = kind == .wipeTl || kind == .wipeBl
        keepsTop = kind == .wipeTl || kind == .wipeTr
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let (width, height) = (target.size.width, target.size.height)
        // The last column and the last row before the edge.
        let column = Int(Float(width) * (keepsLeft ? progress.remaining : 1 - progress.remaining))
        let row = Int(Float(height) * (keepsTop ? progress.remaining : 1 - progress.remaining))
        let split = min(width, column + 1)
        mixPictures(MixInput(from), MixInput(to), into: target) { y, weights in
            let showsOutgoing = keepsTop ? y <= row : y > row
            let (left, right) = showsOutgoing ? (keepsLeft ? (false, true) : (true, false)) : (true, true)
            weights.update(repeating: left ? UInt16(Blend.one) : 0, count: split)
            (weights + split).update(repeating: right ? UInt16(Blend.one) : 0, count: width - split)
        }
    }
}

/// A window in black closes over A and opens again on B. For `circleCrop` it is a circle whose radius is `|1 - 2p|³`
/// half diagonals, for `rectCrop` a rectangle of `|1 - 2p|` times the frame's size.
struct Crop: TransitionDrawing {
    private let isCircle: Bool
    private let black: VideoFrame

    init(_ kind: TransitionKind, size: FrameSize, _ planes: TransitionPlanes) throws(MediaError) {
        isCircle = kind == .circleCrop
        black = try VideoFrame(.yuv420, size)
        for (index, value) in (planes == .coverage ? FadeColor.coverage : .black).samples.enumerated() {
            let plane = black.plane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let (width, height) = (target.size.width, target.size.height)
        let visible = progress.remaining < 0.5 ? to : from
        let open = abs(progress.remaining - 0.5)
        let radius = powf(2 * open, 3) * hypotf(Float(width / 2), Float(height / 2))
        let (halfWidth, halfHeight) = ((open * Float(width)).rounded(.down), (open * Float(height)).rounded(.down))
        let one = UInt16(Blend.one)
        mixPictures(MixInput(visible), MixInput(black), into: target) { y, weights in
            let down = Float(y - height / 2)
            for x in 0..<width {
                let across = Float(x - width / 2)
                let isOutside =
                    isCircle
                    ? (across * across + down * down).squareRoot() > radius
                    : abs(across) >= halfWidth || abs(down) >= halfHeight
                weights[x] = isOutside ? one : 0
            }
        }
    }
}

/// Ten strips that open one after the other. B shows where `fract(10 t)` is below `S`, which rises from 0 to 1 over
/// half a frame; `t` runs along the frame from the side that the name says.
struct Slices: TransitionDrawing {
    private let isAcross: Bool
    /// `t` of each column or row.
    private let places: [Float]

    init(_ kind: TransitionKind, size: FrameSize) {
        isAcross = kind == .hlSlice || kind == .hrSlice
        let extent = isAcross ? size.width : size.height
        let isBackwards = kind == .hrSlice || kind == .vdSlice
        places = (0..<extent).map { Float(isBackwards ? extent - 1 - $0 : $0) / Float(extent) }
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let slices = places.map { place -> UInt16 in
            let reached = smoothStep(from: -0.5, to: 0, place - progress.remaining * 1.5)
            let inSlice = 10 * place - (10 * place).rounded(.down)
            return reached <= inSlice ? 0 : UInt16(Blend.one)
        }
        let width = target.size.width
        mixPictures(MixInput(from), MixInput(to), into: target) { row, weights in
            if isAcross {
                for x in 0..<width { weights[x] = slices[x] }
            } else {
                weights.update(repeating: slices[row], count: width)
            }
        }
    }
}
