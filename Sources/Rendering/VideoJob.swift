import ArtifactStore
import Compositor
import ExactTime
import ExportPlan
import Media

/// Renders a picture segment: composes each frame, encodes it, and stores the packets as a small file.
/// - Returns: how long decoding, composing and encoding took.
func renderVideo(
    _ segment: VideoSegment, _ sources: [String: SourceReference], into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> JobCost {
    let slice = segment.slice
    var composing = Duration.zero
    var encoding = Duration.zero
    var decoding = Duration.zero
    try writeArtifact(segment.key, into: store) { path in
        let compositor = try Compositor(
            slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources)
        let encoder = try VideoEncoder(slice.encode, size: slice.canvas, frameRate: slice.frameRate)
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: slice.encode.codec.segmentFile, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        for index in 0..<slice.frameCount {
            let started = ContinuousClock.now
            let picture = try compositor.picture(atFrame: index)
            let composed = ContinuousClock.now
            try encoder.encode(picture, index: index, to: writer)
            composing += started.duration(to: composed)
            encoding += composed.duration(to: .now)
            progress(index + 1)
        }
        let flushing = ContinuousClock.now
        try encoder.finish(to: writer)
        encoding += flushing.duration(to: .now)
        try writer.finish()
        decoding = compositor.decodingTime
    }
    var cost = JobCost()
    cost.decode = decoding.inSeconds
    cost.compose = (composing - decoding).inSeconds
    cost.encode = encoding.inSeconds
    return cost
}

extension Duration {
    /// For printing and for adding up.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
