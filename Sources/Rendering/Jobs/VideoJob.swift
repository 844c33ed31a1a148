import ArtifactStore
import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Renders a picture segment: composes each frame, encodes it, and stores the packets as a small file.
/// - Returns: how long decoding, composing and encoding took, and warnings about concealed damage in the sources.
func renderVideo(
    _ segment: VideoSegment, _ sources: JobSources, into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> (cost: JobCost, warnings: [SourceWarning]) {
    var frames = SegmentFrames(segment.slice, sources, temporaryFile: try store.temporaryFile(for: segment.key))
    let warnings = try writeArtifact(segment.key, into: store, from: sources) { path in
        if segment.slice.encode.segmentType.format.content == .sequence {
            return try encodeStills(&frames, to: path, progress)
        }
        switch segment.slice.encode.rate {
        case .quality, .fixed: _ = try encode(&frames, .only, palette: try frames.palette(progress), to: path, progress)
        case .share(_, let allocation, let measure, let isLimit):
            let bits = try BitAllocation(file: try artifact(allocation, in: store)).share(of: measure)
            let measured = try MeasuredSegment(file: try artifact(measure, in: store))
            let statistics = try measured.unpack(to: store.temporaryFile(for: measure))
            defer { statistics.remove() }
            try encode(&frames, bits: bits, isLimit: isLimit == true, measured.cost, statistics, to: path, progress)
        }
    }
    return (frames.cost, warnings)
}

/// - Returns: the number of bytes of the packets.
private func encode(
    _ frames: inout SegmentFrames, _ pass: VideoPass, palette: Palette? = nil, to path: String, _ progress: (Int) -> Void
) throws -> Int {
    let slice = frames.slice
    let writer = try MovieWriter(
        path: path,
        ContainerSettings(fileType: slice.encode.segmentType, optimizeForNetworkUse: false, metadata: [:]))
    let renditions = try slice.encode.sizes(ofCanvas: slice.canvas).enumerated().map { number, size in
        try EncodedRendition(slice, size, number: number, pass, palette, to: writer)
    }
    try frames.forEach(progress) { frame, index in
        for rendition in renditions { try rendition.encode(frame, index: index) }
    } finish: {
        for rendition in renditions { try rendition.finish() }
    }
    try writer.finish()
    return renditions.reduce(0) { $0 + $1.byteCount }
}

/// Encodes each frame as a picture file, into an archive.
private func encodeStills(_ frames: inout SegmentFrames, to path: String, _ progress: (Int) -> Void) throws {
    let encoder = StillEncoder(frames.slice.encode)
    let writer = try FileArchiveWriter(path: path)
    let suffix = frames.slice.encode.segmentType.format.pictureSuffixes[0]
    try frames.forEach(progress) { frame, _ in
        writer.add(picture: try encoder.file(of: frame), suffix: suffix)
    } finish: {
        try writer.finish()
    }
}

extension SegmentFrames {
    /// The palette of a GIF's segment, for which the whole segment is composed once more; nil for other codecs.
    fileprivate mutating func palette(_ progress: (Int) -> Void) throws -> Palette? {
        guard slice.encode.codec == .gif else { return nil }
        let search = try PaletteSearch(slice.canvas)
        return try forEach(progress) { frame, _ in
            try search.add(frame)
        } finish: {
            try search.finish()
        }
    }
}

/// Encodes until the segment takes about the bits that it may. Encoders meet a bitrate over minutes, but not over the
/// seconds of a segment. A result that is off by more than 2 % is encoded again with a corrected bitrate, and the
/// closest result is kept. With a limit, results above the segment's share count only if there are no others.
private func encode(
    _ frames: inout SegmentFrames, bits: Double, isLimit: Bool, _ cost: PictureCost, _ statistics: UnpackedStatistics,
    to path: String,
    _ progress: (Int) -> Void
) throws {
    let slice = frames.slice
    let seconds = Double(slice.frameCount) / slice.frameRate.framesPerSecond.doubleValue
    // libx264 and libx265 count whole kilobits per second and refuse less than empty pictures take.
    let least = max(2000, ((cost.other / seconds / 1000).rounded(.up) + 1) * 1000)
    let most = Double(slice.encode.codec.format.bitrate?.highest ?? 1_000_000_000)
    var search = BitrateSearch(
        target: (isLimit ? 0.99 : 1) * bits / seconds, within: min(least, most)...most, ceiling: isLimit ? bits / seconds : nil)
    let tolerance = isLimit ? 0.01 : 0.02
    let trial = path + ".trial"
    defer { removeFile(trial) }
    var attempts = 0
    while search.error > tolerance, attempts < (isLimit ? 10 : 6), !search.isOver {
        let pass = VideoPass.second(bitrate: Int(search.next), statistics: statistics.path)
        let done = attempts * slice.frameCount
        let byteCount = try encode(&frames, pass, to: trial) { progress(done + $0) }
        if search.took(Double(byteCount * 8) / seconds) { try renameFile(trial, to: path) }
        attempts += 1
    }
}
