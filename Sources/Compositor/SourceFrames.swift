import ExactTime
import ExportPlan
import Media

/// A source's pictures as a layer plays them, rasterised: the same object as long as it is the same picture.
final class SourceFrames {
    let content: LayerProgram.Content
    private let reader: FrameReader
    private let timing: SourceTiming?
    private let frameRate: FrameRate
    private let rasterizer: Rasterizer
    /// What was rasterised last: where frames are mixed two of them.
    private var rastered: [(frame: VideoFrame, picture: RasterPicture)] = []
    private var mixed: (from: VideoFrame, to: VideoFrame, share: Double, picture: RasterPicture)?

    /// - Parameters:
    ///   - hash: of the source.
    ///   - timing: nil of a still.
    init(_ hash: String, _ timing: SourceTiming?, _ rasterizer: Rasterizer, _ context: PaintContext) throws(MediaError) {
        content = timing == nil ? .still(source: hash) : .video(source: hash)
        reader = try context.readers.reader(hash, timing)
        self.timing = timing
        self.rasterizer = rasterizer
        frameRate = context.frameRate
    }

    /// Whether it is one picture all the time.
    var isStill: Bool { timing?.isHeld ?? true }

    /// How often there is another picture.
    var repetition: LayerProgram.Repetition {
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
        mixed = (frame, next, share, picture)
        return picture
    }

    func reading(atFrame index: Int) throws(MediaError) -> SourceReading {
        var reading = rasterizer.reading(try reader.frame(at: frameRate.time(ofFrame: index), timing))
        reading.mixesFrames = timing?.blendsFrames
        return reading
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
    /// The mean of two pictures of one size, the second of which counts `share`. Colours count by their alpha.
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
