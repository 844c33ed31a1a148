import ArtifactStore
import ExportPlan
import Media

/// Measures a picture segment: composes each frame, encodes it with fast settings, and stores the bits that it costs.
/// - Returns: how long decoding, composing and encoding took.
func measureVideo(
    _ segment: VideoSegment, _ sources: JobSources, into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> JobCost {
    var frames = SegmentFrames(segment.slice, sources, temporaryFile: try store.temporaryFile(for: segment.key))
    let statistics = UnpackedStatistics(path: try store.temporaryFile(for: segment.key))
    defer { statistics.remove() }
    let slice = segment.slice
    let measurement = try VideoMeasurement(
        slice.encode, size: slice.canvas, frameRate: slice.frameRate, statistics: statistics.path)
    let cost = try frames.forEach(progress) {
        try measurement.add($0, index: $1)
    } finish: {
        try measurement.finish()
    }
    try writeArtifact(segment.key, into: store, from: sources) { try MeasuredSegment.write(cost, statistics, to: $0) }
    return frames.cost
}

/// Allocates the bits of a film to its segments.
func allocateBits(_ plan: AllocationPlan, store: any ArtifactStore, _ progress: (Int) -> Void) throws {
    var costs: [ArtifactKey: PictureCost] = [:]
    for (index, key) in plan.measures.enumerated() {
        if costs[key] == nil { costs[key] = try MeasuredSegment(file: try artifact(key, in: store)).cost }
        progress(index + 1)
    }
    let segments = plan.measures.compactMap { key in costs[key].map { (key: key, cost: $0) } }
    let bits = try plan.limit.map { try pictureBits(of: $0, store) } ?? plan.bits
    try writeArtifact(plan.key, into: store) { path in try BitAllocation(total: Double(bits), segments).write(to: path) }
}

/// The bits that a film's sound and container leave to its pictures.
/// - Throws: `JobFailure` of class `input` where they leave nothing.
private func pictureBits(of limit: FileSizeLimit, _ store: any ArtifactStore) throws -> Int {
    let soundBytes = try limit.soundtracks.reduce(0) { try $0 + SourceFile(path: try artifact($1, in: store)).byteCount }
    let bits = limit.pictureBits(soundBytes: soundBytes)
    guard bits > 0 else {
        throw JobFailure(
            .input, subject: "fileSizeLimit",
            message: "of \(limit.bytes) bytes leaves nothing for the pictures: the sound takes \(soundBytes) bytes; "
                + "give a larger one, or a lower audioBitrate")
    }
    return bits
}
