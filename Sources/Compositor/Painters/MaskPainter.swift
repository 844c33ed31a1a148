import ExactTime
import ExportPlan
import Media
import Operations
import Vocabulary

/// Draws a layer's mask and multiplies the alpha of the layer's picture by it.
///
/// A mask that stays the same is drawn once.
final class MaskPainter {
    private let mask: LayerMask
    private let stack: StackPainter
    private let frameRate: FrameRate
    private let log: DecisionLog?
    private var drawn: AlphaPlanes?
    private var last: (source: RasterPicture, index: Int, picture: RasterPicture)?

    init(_ mask: LayerMask, _ context: PaintContext) throws(MediaError) {
        self.mask = mask
        frameRate = context.frameRate
        log = context.log?.part(
            .mask(channel: mask.channel, isInverted: mask.isInverted, feather: mask.feather.constantValue))
        var inside = context.recording(in: log)
        inside.canvas = mask.size
        stack = try StackPainter(mask.layers, inside)
    }

    /// Whether the mask is the same in every frame.
    var isStill: Bool { mask.feather.constantValue != nil && stack.isStill }

    /// - Parameter picture: a picture of the mask's size.
    /// - Returns: the same frame with the mask's coverage applied; the same object as before if that picture was last
    ///   masked in the same method.
    func masked(_ picture: RasterPicture, atFrame index: Int) throws(MediaError) -> RasterPicture {
        guard picture.frame.size == mask.size else {
            throw MediaError(
                .internalFailure, subject: "mask", message: "is \(mask.size), its picture \(picture.frame.size)")
        }
        if let last, last.source.frame === picture.frame, isStill || last.index == index { return last.picture }
        let cover = try coverage(atFrame: index)
        let result = RasterPicture(frame: picture.frame, alpha: picture.alpha.map { $0.times(cover) } ?? cover)
        last = (picture, index, result)
        return result
    }

    /// How much of each sample the mask lets through.
    func coverage(atFrame index: Int) throws(MediaError) -> AlphaPlanes {
        if let drawn, isStill { return drawn }
        log?.note(.repetition(isStill ? .once : .everyFrame))
        let picture = try stack.transparentPicture(atFrame: index)
        var luma = picture.alpha?.luma ?? [UInt8](repeating: 255, count: mask.size.width * mask.size.height)
        if mask.channel == .luma { luma = luma.times(brightness(of: picture.frame)) }
        if mask.isInverted { luma = luma.map { 255 - $0 } }
        let deviation = mask.feather.value(at: frameRate.time(ofFrame: index))
        if deviation > 0 { luma = feathered(luma, deviation) }
        let cover = AlphaPlanes(luma: luma, width: mask.size.width, height: mask.size.height)
        drawn = cover
        return cover
    }

    /// Luma expanded from limited range: 16 becomes 0 and 235 becomes 255.
    private func brightness(of frame: VideoFrame) -> [UInt8] {
        let plane = frame.plane(0)
        let table = (0...255).map { UInt8(((Double(min(max($0, 16), 235)) - 16) * 255 / 219).rounded()) }
        var values: [UInt8] = []
        values.reserveCapacity(plane.width * plane.height)
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width { values.append(table[Int(row[x])]) }
        }
        return values
    }

    private func feathered(_ values: [UInt8], _ deviation: Double) -> [UInt8] {
        var result = values
        result.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            let plane = PlanarPixels.Plane(base: base, stride: mask.size.width)
            PlaneBlur(deviation: deviation).blur(plane, into: plane, width: mask.size.width, height: mask.size.height)
        }
        return result
    }
}

extension AlphaPlanes {
    /// The product of both coverages.
    func times(_ other: AlphaPlanes) -> AlphaPlanes {
        AlphaPlanes(luma: luma.times(other.luma), chroma: chroma.times(other.chroma))
    }
}

extension [UInt8] {
    /// The products of values that are fractions of 255.
    fileprivate func times(_ other: [UInt8]) -> [UInt8] {
        zip(self, other).map { UInt8(truncatingIfNeeded: (UInt32($0) * UInt32($1) + 127) / 255) }
    }
}
