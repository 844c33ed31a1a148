import ArtifactStore
import ExactTime
import ExportPlan
import Media

/// Renders a picture segment: composes each frame, encodes it, and stores the packets as a small file.
/// - Returns: how long decoding, composing and encoding took.
func renderVideo(
    _ segment: VideoSegment, _ sources: [String: SourceReference], into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> JobCost {
    var frames = SegmentFrames(segment.slice, sources)
    try writeArtifact(segment.key, into: store) { path in
        switch segment.slice.encode.rate {
        case .quality, .fixed: _ = try encode(&frames, .only, to: path, progress)
        case .share(_, let allocation, let measure):
            let bits = try BitAllocation(file: try artifact(allocation, in: store)).share(of: measure)
            let statistics = try MeasuredSegment(file: try artifact(measure, in: store))
                .unpack(to: store.temporaryFile(for: measure))
            defer { statistics.remove() }
            try encode(&frames, bits: bits, statistics, to: path, progress)
        }
    }
    return frames.cost
}

/// - Returns: how many bytes the packets have.
private func encode(
    _ frames: inout SegmentFrames, _ pass: VideoPass, to path: String, _ progress: (Int) -> Void
) throws -> Int {
    let slice = frames.slice
    let encoder = try VideoEncoder(slice.encode, size: slice.canvas, frameRate: slice.frameRate, pass: pass)
    let writer = try MovieWriter(
        path: path, ContainerSettings(fileType: slice.encode.codec.segmentFile, optimizeForNetworkUse: false, metadata: [:]))
    try writer.add(encoder)
    try frames.forEach(progress) {
        try encoder.encode($0, index: $1, to: writer)
    } finish: {
        try encoder.finish(to: writer)
    }
    try writer.finish()
    return encoder.byteCount
}

/// Encodes until the segment has taken about what it may. Encoders meet a bitrate well over minutes, but not over the seconds of a
/// segment: what is off by more than a fiftieth is rendered again, with as much more or less asked for, and the closest is kept.
private func encode(
    _ frames: inout SegmentFrames, bits: Double, _ statistics: UnpackedStatistics, to path: String, _ progress: (Int) -> Void
) throws {
    let slice = frames.slice
    let seconds = Double(slice.frameCount) / slice.frameRate.framesPerSecond.doubleValue
    var search = BitrateSearch(target: bits)
    let trial = path + ".trial"
    defer { removeFile(trial) }
    var attempts = 0
    while search.error > 0.02, attempts < 6 {
        // No encoder has a use for less than a kilobit in a second.
        let pass = VideoPass.second(bitrate: max(1000, Int(search.next / seconds)), statistics: statistics.path)
        let done = attempts * slice.frameCount
        let byteCount = try encode(&frames, pass, to: trial) { progress(done + $0) }
        if search.took(Double(byteCount * 8)) { try renameFile(trial, to: path) }
        attempts += 1
    }
}
