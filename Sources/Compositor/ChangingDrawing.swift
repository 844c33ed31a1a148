import ExactTime
import ExportPlan
import Media

/// A text or a shape whose numbers change: drawn anew in every frame in which it looks different from the frame before.
final class ChangingDrawing<Content: DrawnContent>: LayerPicture {
    private let content: Content
    private let frameRate: FrameRate
    private let draw: (Content) throws(MediaError) -> any LayerPicture
    private var last: (content: Content, picture: any LayerPicture)?

    /// - Parameter draw: makes a picture of what does not change.
    init(_ content: Content, _ context: PaintContext, _ draw: @escaping (Content) throws(MediaError) -> any LayerPicture) {
        self.content = content
        frameRate = context.frameRate
        self.draw = draw
    }

    // Nobody asks before there is a picture.
    var width: Double { last?.picture.width ?? 1 }
    var height: Double { last?.picture.height ?? 1 }

    let isStill = false

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let drawn = content.drawn(at: frameRate.time(ofFrame: index))
        if let last, last.content == drawn { return try last.picture.picture(atFrame: index) }
        let picture = try draw(drawn)
        last = (drawn, picture)
        return try picture.picture(atFrame: index)
    }

    func program(atFrame index: Int) throws(MediaError) -> LayerPictureProgram {
        _ = try picture(atFrame: index)
        guard let last else { return LayerPictureProgram(.shape, repetition: .everyFrame) }
        return LayerPictureProgram(try last.picture.program(atFrame: index).content, repetition: .everyFrame)
    }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap {
        last?.picture.ofSamples(map, in: picture) ?? map
    }
}
