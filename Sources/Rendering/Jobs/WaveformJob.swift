import ExportPlan
import Media

/// Finds the peaks of a mix, and draws them where a picture is requested.
func waveform(_ files: [String], _ request: WaveformRequest, _ progress: (Int) -> Void) throws -> SoundPeaks {
    let step = request.samplesPerPoint * request.channels
    var peaks = SoundPeaks()
    var (lowest, highest, count): (Float, Float, Int) = (0, 0, 0)
    func close() {
        func code(_ value: Float) -> Int16 { Int16(max(-32_768, min(32_767, (value * 32_768).rounded()))) }
        peaks.lowest.append(code(lowest))
        peaks.highest.append(code(highest))
        count = 0
    }
    var blocks = 0
    try JoinedMix(files: files, channels: request.channels).read { block in
        for sample in block {
            (lowest, highest) = count == 0 ? (sample, sample) : (min(lowest, sample), max(highest, sample))
            count += 1
            if count == step { close() }
        }
        blocks += 1
        progress(blocks)
    }
    if count > 0 { close() }
    if let picture = request.picture {
        try PictureFile.write(try peaks.drawn(picture.size), as: picture.fileType, to: picture.path)
    }
    return peaks
}

extension SoundPeaks {
    /// Draws a column for each part of the sound on a transparent background; columns with clipping are red.
    fileprivate func drawn(_ size: FrameSize) throws(MediaError) -> VideoFrame {
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<size.height { plane.row(y).update(repeating: 0, count: 4 * size.width) }
        guard !lowest.isEmpty else { return frame }
        for x in 0..<size.width {
            let first = min(x * lowest.count / size.width, lowest.count - 1)
            let end = max(first + 1, min((x + 1) * lowest.count / size.width, lowest.count))
            let (low, high) = (lowest[first..<end].min() ?? 0, highest[first..<end].max() ?? 0)
            let isClipped = low == .min || high == .max
            func row(_ value: Int16) -> Int { (32_767 - Int(value)) * (size.height - 1) / 65_535 }
            for y in row(high)...max(row(high), row(low)) {
                let pixel = plane.row(y) + 4 * x
                (pixel[0], pixel[1], pixel[2], pixel[3]) = isClipped ? (224, 64, 48, 255) : (64, 128, 224, 255)
            }
        }
        return frame
    }
}
