import CFFmpeg
public import ExportPlan

/// The colours that the pictures of a GIF's segment are painted with, 255 and one for what does not change.
public struct Palette {
    /// 16 x 16 pixels, a colour each.
    let colors: VideoFrame
}

/// Finds the palette of a segment in all its pictures, by libavfilter's median cut.
public final class PaletteSearch {
    private let graph: FilterGraph
    private let converter = PictureScaler(subject: "palette")
    private var count: Int64 = 0

    public init(_ size: FrameSize) throws(MediaError) {
        graph = try FilterGraph("[in0]palettegen=stats_mode=full:reserve_transparent=1[out]", inputs: [size])
    }

    public func add(_ frame: VideoFrame) throws(MediaError) {
        let picture = try converter.scale(frame, region: .whole, color: .bt709, to: .bgra, size: frame.size)
        picture.pointer.pointee.pts = count
        count += 1
        try graph.push(picture)
    }

    public func finish() throws(MediaError) -> Palette {
        try graph.push(nil)
        guard let colors = try graph.pull() else {
            throw MediaError(.internalFailure, subject: "palette", message: "was not found")
        }
        return Palette(colors: colors)
    }
}

/// Paints pictures with the colours of a palette; what lies between two of them is dithered by Sierra's smaller filter.
final class PaletteDithering {
    private let graph: FilterGraph

    init(_ palette: Palette, _ size: FrameSize) throws(MediaError) {
        graph = try FilterGraph(
            "[in0][in1]paletteuse=dither=sierra2_4a:diff_mode=rectangle[out]", inputs: [size, palette.colors.size])
        palette.colors.pointer.pointee.pts = 0
        try graph.push(palette.colors, into: 1)
        try graph.push(nil, into: 1)
    }

    /// - Parameter frame: in BGRA; nil is behind the last one.
    /// - Returns: the pictures that are painted now, which keep their times.
    func next(_ frame: VideoFrame?) throws(MediaError) -> [VideoFrame] {
        try graph.push(frame)
        var pictures: [VideoFrame] = []
        while let picture = try graph.pull() { pictures.append(picture) }
        return pictures
    }
}
