import ArtifactStore
import Compositor
import ExactTime
import ExportPlan
import Media

/// Renders a picture segment: composes each frame, encodes it, and stores the packets as a small MP4 file.
func renderVideo(
    _ segment: VideoSegment, _ sources: [String: SourceReference], into store: any ArtifactStore, _ progress: (Int) -> Void
) throws {
    let slice = segment.slice
    try writeArtifact(segment.key, into: store) { path in
        let compositor = try Compositor(
            slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources)
        let encoder = try VideoEncoder(slice.encode, size: slice.canvas, frameRate: slice.frameRate)
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        for index in 0..<slice.frameCount {
            try encoder.encode(try compositor.picture(atFrame: index), index: index, to: writer)
            progress(index + 1)
        }
        try encoder.finish(to: writer)
        try writer.finish()
    }
}

/// Renders one frame of a segment as a PNG file.
func renderPicture(_ slice: VideoSlice, frame: Int, _ sources: [String: SourceReference], to output: String) throws {
    let compositor = try Compositor(slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources)
    try PictureFile.writePNG(try compositor.picture(atFrame: frame), to: output)
}
