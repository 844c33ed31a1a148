import ExactTime
import ExportPlan
import Vocabulary

/// Plans a film with a target bitrate or a greatest size: the segments that are measured, and the same segments encoded
/// with the bits allocated to them.
/// - Parameters:
///   - sounds: the artifacts of the film's soundtracks.
/// - Returns: nil if neither is requested.
func planBitrate(
    _ composition: Composition, _ segments: [VideoSegment], sounds: [ArtifactKey], _ format: OutputFormat
) -> (plan: BitratePlan, shared: [VideoSegment])? {
    let size = FileSizePlan(composition, format)
    guard let bitrate = format.videoBitrate ?? size?.videoBitrate, let rule = format.video?.codec.format.bitrate else {
        return nil
    }
    var limit = size.map { FileSizeLimit(bytes: $0.bytes, overhead: $0.overhead, soundtrack: sounds.first) }
    limit?.furtherSoundtracks = sounds.count > 1 ? Array(sounds.dropFirst()) : nil
    let factor = rule.measuringFactor(bitrate, composition)
    let measures = segments.map { segment in
        var slice = segment.slice
        slice.encode.rate = .quality(constantRateFactor: factor)
        return VideoSegment(key: contentKey("measure", slice), firstFrame: segment.firstFrame, slice: slice)
    }
    let seconds = composition.frameRate.time(ofFrame: composition.frameCount).seconds
    let bits = limit?.pictureBits(soundBytes: 0) ?? (seconds * Rational(bitrate)).rounded
    let keys = measures.map(\.key)
    let allocation = AllocationPlan(
        key: contentKey("allocation", AllocationContent(bits: bits, measures: keys, limit: limit)), bits: bits, measures: keys,
        limit: limit)
    let shared = zip(segments, keys).map { segment, measure in
        var slice = segment.slice
        slice.encode.rate = .share(
            bitrate: bitrate, allocation: allocation.key, measure: measure, isLimit: limit == nil ? nil : true)
        return VideoSegment(key: contentKey("video", slice), firstFrame: segment.firstFrame, slice: slice)
    }
    return (BitratePlan(measures: measures, allocation: allocation), shared)
}

private struct AllocationContent: Encodable {
    var bits: Int
    var measures: [ArtifactKey]
    var limit: FileSizeLimit?
}

extension BitrateRule {
    /// The constant rate factor at which a typical film takes about the given bitrate. The closer the measured quality
    /// is to the final one, the more accurate the measured costs. The steps are coarse, so that films of similar
    /// bitrates share measurements.
    fileprivate func measuringFactor(_ bitrate: Int, _ composition: Composition) -> Double {
        let pixels = Rational(composition.canvas.width * composition.canvas.height) * composition.frameRate.framesPerSecond
        // Twice as many bits per pixel lower the factor by one step.
        var ratio = Rational(bitrate) / (pixels * Rational(Int64(centibitsPerPixel), 100))
        var steps = 0.0
        while ratio > Rational(3, 2), steps < 2 {
            ratio = ratio / Rational(2)
            steps += 1
        }
        while ratio < Rational(2, 3), steps > -2 {
            ratio = ratio * Rational(2)
            steps -= 1
        }
        return measuringFactor - steps * factorStep
    }
}
