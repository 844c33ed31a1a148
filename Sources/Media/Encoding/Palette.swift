import CFFmpeg
package import ExportPlan

/// The palette of a GIF segment: 255 colours, and one transparent index for pixels that do not change.
package struct Palette {
    /// A picture of 16 x 16 pixels, one for each colour.
    let colors: VideoFrame
}

/// Computes the palette of a segment from all its pictures, by libavfilter's median cut.
package final class PaletteSearch {
    private let graph: FilterGraph
    private let converter = PictureScaler(subject: "palette")
    private var count: Int64 = 0

    package init(_ size: FrameSize) throws(MediaError) {
        graph = try FilterGraph("[in0]palettegen=stats_mode=full:reserve_transparent=1[out]", inputs: [size])
    }

    package func add(_ frame: VideoFrame) throws(MediaError) {
        let picture = try converter.scale(frame, region: .whole, color: .bt709, to: .bgra, size: frame.size)
        picture.pointer.pointee.pts = count
        count += 1
        try graph.push(picture)
    }

    package func finish() throws(MediaError) -> Palette {
        try graph.push(nil)
        guard let colors = try graph.pull() else {
            throw MediaError(.internalFailure, subject: "palette", message: "was not found")
        }
        return Palette(colors: colors)
    }
}

/// Converts pictures to the colours of a palette, with Sierra-2-4A error diffusion.
final class PaletteDithering {
    private let graph: FilterGraph

    init(_ palette: Palette, _ size: FrameSize) throws(MediaError) {
        graph = try FilterGraph(
            "[in0][in1]paletteuse=dither=sierra2_4a:diff_mode=rectangle[out]", inputs: [size, palette.colors.size])
        palette.colors.pointer.pointee.pts = 0
        try graph.push(palette.colors, into: 1)
        try graph.push(nil, into: 1)
    }

    /// - Parameter frame: a BGRA picture; nil ends the input.
    /// - Returns: the pictures that are finished by now, with their times unchanged.
    func next(_ frame: VideoFrame?) throws(MediaError) -> [VideoFrame] {
        try graph.push(frame)
        var pictures: [VideoFrame] = []
        while let picture = try graph.pull() { pictures.append(picture) }
        return pictures
    }
}
