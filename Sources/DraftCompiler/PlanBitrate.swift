import ExactTime
import ExportPlan
import Vocabulary

/// Plans a film that is to have a size: its segments, as they are measured, and as they are encoded from what is allocated to them.
/// - Returns: nil where no bitrate is wanted.
func planBitrate(
    _ composition: Composition, _ segments: [VideoSegment], _ format: OutputFormat
) -> (plan: BitratePlan, shared: [VideoSegment])? {
    guard let bitrate = format.videoBitrate, let codec = format.video?.codec else { return nil }
    let factor = codec.measuringFactor(bitrate, composition)
    let measures = segments.map { segment in
        var slice = segment.slice
        slice.encode.rate = .quality(constantRateFactor: factor)
        return VideoSegment(key: contentKey("measure", slice), firstFrame: segment.firstFrame, slice: slice)
    }
    let seconds = composition.frameRate.time(ofFrame: composition.frameCount).seconds
    let bits = (seconds * Rational(bitrate)).rounded
    let keys = measures.map(\.key)
    let allocation = AllocationPlan(
        key: contentKey("allocation", AllocationContent(bits: bits, measures: keys)), bits: bits, measures: keys)
    let shared = zip(segments, keys).map { segment, measure in
        var slice = segment.slice
        slice.encode.rate = .share(bitrate: bitrate, allocation: allocation.key, measure: measure)
        return VideoSegment(key: contentKey("video", slice), firstFrame: segment.firstFrame, slice: slice)
    }
    return (BitratePlan(measures: measures, allocation: allocation), shared)
}

private struct AllocationContent: Encodable {
    var bits: Int
    var measures: [ArtifactKey]
}

extension VideoCodec {
    /// The quality at which a usual film takes about as many bits: the nearer the measured one is to the encoded one, the truer are the
    /// costs. In coarse steps, so that films of nearly the same bitrate share what was measured.
    fileprivate func measuringFactor(_ bitrate: Int, _ composition: Composition) -> Double {
        let pixels = Rational(composition.canvas.width * composition.canvas.height) * composition.frameRate.framesPerSecond
        // Bits per pixel at the middle quality, as real footage has them; twice as many are a step further down.
        let scale: (factor: Double, bitsPerPixel: Rational, step: Double) =
            switch self {
            case .h264, .prores, .gif, .webp: (23, Rational(8, 100), 6)
            case .hevc: (26, Rational(5, 100), 6)
            case .vp9, .av1: (33, Rational(5, 100), 9)
            }
        var ratio = Rational(bitrate) / (pixels * scale.bitsPerPixel)
        var steps = 0.0
        while ratio > Rational(3, 2), steps < 2 {
            ratio = ratio / Rational(2)
            steps += 1
        }
        while ratio < Rational(2, 3), steps > -2 {
            ratio = ratio * Rational(2)
            steps -= 1
        }
        return scale.factor - steps * scale.step
    }
}
