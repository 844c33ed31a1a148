import ExportPlan
import Media
import Vocabulary

/// One transition at one size between two pictures with transparency, of which one may be wholly transparent.
///
/// Colours that are multiplied by their coverage, and the coverage itself, go through the transition as pictures of
/// their own: that is what FFmpeg's xfade draws between two premultiplied streams. Where one picture is transparent and
/// the other keeps its place, the colours stay as they are and only the coverage changes.
struct CoveredTransition {
    private let colors: any TransitionDrawing
    private let coverage: any TransitionDrawing
    private let keepsColors: Bool
    /// A wholly transparent picture: black, and coverage 0.
    private let transparent: (colors: VideoFrame, coverage: VideoFrame)

    init(_ kind: TransitionKind, size: FrameSize, map: LumaMapReveal?) throws(MediaError) {
        colors = try makeTransitionDrawing(kind, size: size, map: map)
        coverage = try makeTransitionDrawing(kind, size: size, map: map, of: .coverage)
        keepsColors = kind.keepsColors
        transparent = (
            try VideoFrame(black, size: size), try VideoFrame(size: size, coverage: AlphaPlanes(covering: 0, size))
        )
    }

    /// - Parameters:
    ///   - from, to: the outgoing and the incoming picture, of the transition's size; nil for a transparent one.
    func drawn(
        from: RasterPicture?, to: RasterPicture?, _ progress: TransitionProgress
    ) throws(MediaError) -> RasterPicture {
        let size = transparent.colors.size
        let result = try VideoFrame(.yuv420, size)
        if let from, let to, from.alpha == nil, to.alpha == nil {
            colors.draw(from.frame, to.frame, progress, into: result)
            return RasterPicture(frame: result)
        }
        let covered = try VideoFrame(.yuv420, size)
        coverage.draw(try coverage(of: from), try coverage(of: to), progress, into: covered)
        let alpha = AlphaPlanes(coverage: covered)
        if keepsColors, let only = from == nil ? to : to == nil ? from : nil {
            return RasterPicture(frame: only.frame, alpha: alpha)
        }
        colors.draw(try premultiplied(from), try premultiplied(to), progress, into: result)
        result.divide(by: alpha)
        return RasterPicture(frame: result, alpha: alpha)
    }

    private func coverage(of picture: RasterPicture?) throws(MediaError) -> VideoFrame {
        guard let picture else { return transparent.coverage }
        let size = picture.frame.size
        return try VideoFrame(size: size, coverage: picture.alpha ?? AlphaPlanes(covering: 255, size))
    }

    private func premultiplied(_ picture: RasterPicture?) throws(MediaError) -> VideoFrame {
        guard let picture else { return transparent.colors }
        guard let alpha = picture.alpha else { return picture.frame }
        let result = try VideoFrame(.yuv420, picture.frame.size)
        for index in 0..<3 {
            let (source, target) = (picture.frame.plane(index), result.plane(index))
            let (cover, none) = (alpha[index], UInt32(black[index]))
            for y in 0..<target.height {
                let (row, out) = (source.row(y), target.row(y))
                for x in 0..<target.width {
                    let share = UInt32(cover[y * target.width + x])
                    out[x] = UInt8(truncatingIfNeeded: (UInt32(row[x]) * share + none * (255 - share) + 127) / 255)
                }
            }
        }
        return result
    }
}

/// Luma and chroma of black, which transparent places have.
private let black = [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v]

extension TransitionKind {
    /// Whether a picture that comes out of a transparent one, or goes into it, stays in its place and goes through no
    /// other colour, so that only its coverage changes.
    fileprivate var keepsColors: Bool {
        switch self {
        case .fade, .fadeBlack, .fadeWhite, .fadeGrays, .circleCrop, .rectCrop: false
        case .slideLeft, .slideRight, .slideUp, .slideDown, .squeezeH, .squeezeV, .zoomIn, .pixelize, .hBlur: false
        case .dissolve, .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .smoothLeft, .smoothRight, .smoothUp, .smoothDown,
            .circleOpen, .circleClose, .vertOpen, .vertClose, .horzOpen, .horzClose, .radial, .diagTl, .diagTr, .diagBl,
            .diagBr, .hlSlice, .hrSlice, .vuSlice, .vdSlice, .wipeTl, .wipeTr, .wipeBl, .wipeBr, .dissolveNoise, .distance,
            .fadeFast, .fadeSlow, .lumaMap, .externalTransition:
            true
        }
    }
}

extension VideoFrame {
    /// A picture of one colour.
    /// - Parameter samples: its luma and chroma.
    fileprivate convenience init(_ samples: [UInt8], size: FrameSize) throws(MediaError) {
        try self.init(.yuv420, size)
        for (index, value) in samples.enumerated() {
            let plane = plane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
    }

    /// Coverage as the planes of a picture; both chroma planes have that of chroma.
    fileprivate convenience init(size: FrameSize, coverage: AlphaPlanes) throws(MediaError) {
        try self.init(.yuv420, size)
        for index in 0..<3 {
            let plane = plane(index)
            coverage[index].withUnsafeBufferPointer { values in
                guard let base = values.baseAddress else { return }
                for y in 0..<plane.height { plane.row(y).update(from: base + y * plane.width, count: plane.width) }
            }
        }
    }

    /// Makes straight colours of colours that were multiplied by their coverage. Transparent places become black.
    fileprivate func divide(by alpha: AlphaPlanes) {
        for index in 0..<3 {
            let (plane, cover, none) = (plane(index), alpha[index], Int32(black[index]))
            for y in 0..<plane.height {
                let row = plane.row(y)
                for x in 0..<plane.width {
                    let share = Int32(cover[y * plane.width + x])
                    guard share < 255 else { continue }
                    let color = share == 0 ? none : none + ((Int32(row[x]) - none) * 510 / share + (row[x] < none ? -1 : 1)) / 2
                    row[x] = UInt8(min(255, max(0, color)))
                }
            }
        }
    }
}

extension AlphaPlanes {
    /// - Parameter frame: coverage as the planes of a picture.
    fileprivate init(coverage frame: VideoFrame) {
        func values(_ plane: Plane) -> [UInt8] {
            var values: [UInt8] = []
            values.reserveCapacity(plane.width * plane.height)
            for y in 0..<plane.height {
                values.append(contentsOf: UnsafeBufferPointer(start: plane.row(y), count: plane.width))
            }
            return values
        }
        self.init(luma: values(frame.plane(0)), chroma: values(frame.plane(1)))
    }
}
