import ExactTime
import ExportPlan
import Media

/// A source's rasterised pictures at the times at which a layer plays them. The same picture is returned as the same
/// object.
final class SourceFrames {
    private let reader: FrameReader
    private let timing: SourceTiming?
    private let frameRate: FrameRate
    private let rasterizer: Rasterizer
    private let log: DecisionLog?
    /// The frames that were rasterised last: two of them if neighbouring frames are blended, otherwise one.
    private var rastered: [(frame: VideoFrame, picture: RasterPicture)] = []
    private var mixed: (from: VideoFrame, to: VideoFrame, share: Double, picture: RasterPicture)?

    /// - Parameters:
    ///   - hash: the content hash of the source.
    ///   - timing: nil for a still.
    init(_ hash: String, _ timing: SourceTiming?, _ rasterizer: Rasterizer, _ context: PaintContext) throws(MediaError) {
        reader = try context.readers.reader(hash, timing, view: rasterizer.view)
        self.timing = timing
        self.rasterizer = rasterizer
        log = context.log
        frameRate = context.frameRate
    }

    /// Whether it is the same picture in every frame.
    var isStill: Bool { timing?.isHeld ?? true }

    /// How often the picture changes.
    var repetition: Explanation.Repetition {
        isStill ? .once : timing?.blendsFrames == true ? .everyFrame : .whenSourceChanges
    }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let time = frameRate.time(ofFrame: index)
        guard let timing, timing.blendsFrames == true else { return try raster(try reader.frame(at: time, timing)) }
        guard let (next, share) = try reader.frame(after: timing.sourceTime(at: time), reversed: timing.isReversed) else {
            return try raster(try reader.frame(at: time, timing))
        }
        let frame = try reader.frame(at: time, timing)
        if let mixed, mixed.from === frame, mixed.to === next, mixed.share == share { return mixed.picture }
        let picture = try RasterPicture(mixing: try raster(frame), try raster(next), share: share)
        log?.note(.mixing)
        mixed = (frame, next, share, picture)
        return picture
    }

    private func raster(_ frame: VideoFrame) throws(MediaError) -> RasterPicture {
        if let known = rastered.first(where: { $0.frame === frame }) { return known.picture }
        let picture = try rasterizer.rasterize(frame)
        if rastered.count > (timing?.blendsFrames == true ? 1 : 0) { rastered.removeFirst() }
        rastered.append((frame, picture))
        return picture
    }
}

extension RasterPicture {
    /// Blends two pictures of one size; the second one has the weight `share`. Colours are weighted by their alpha.
    fileprivate init(mixing first: RasterPicture, _ second: RasterPicture, share: Double) throws(MediaError) {
        let weight = Blend.weight(share)
        let frame = try VideoFrame(.yuv420, first.frame.size)
        guard let from = first.alpha, let to = second.alpha else {
            for index in 0..<3 {
                Blend.mix(first.frame.plane(index), second.frame.plane(index), weight, into: frame.plane(index))
            }
            self.init(frame: frame)
            return
        }
        var alpha = from
        for index in 0..<3 {
            var covers = from[index]
            let (a, b, out) = (first.frame.plane(index), second.frame.plane(index), frame.plane(index))
            for y in 0..<out.height {
                for x in 0..<out.width {
                    let place = y * out.width + x
                    let (weightA, weightB) = ((1 - share) * Double(from[index][place]), share * Double(to[index][place]))
                    let cover = weightA + weightB
                    let sum = weightA * Double(a.row(y)[x]) + weightB * Double(b.row(y)[x])
                    out.row(y)[x] = cover > 0 ? UInt8((sum / cover).rounded()) : a.row(y)[x]
                    covers[place] = UInt8(cover.rounded())
                }
            }
            alpha[index] = covers
        }
        self.init(frame: frame, alpha: alpha)
    }
}
