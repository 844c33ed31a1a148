import ExactTime
import ExportPlan
import Media

/// A text or a shape with animated numbers. It is drawn again in each frame in which it differs from the frame before.
final class AnimatedDrawing<Content: DrawnContent>: LayerPicture {
    private let content: Content
    private let frameRate: FrameRate
    private let draw: (Content) throws(MediaError) -> any LayerPicture
    private var last: (content: Content, picture: any LayerPicture)?

    /// - Parameter draw: makes the picture of a text or a shape whose numbers are constant.
    init(_ content: Content, _ context: PaintContext, _ draw: @escaping (Content) throws(MediaError) -> any LayerPicture) {
        self.content = content
        frameRate = context.frameRate
        self.draw = draw
    }

    // `picture(atFrame:)` is always called first, so the value 1 is never used.
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

    var repetition: Explanation.Repetition { .everyFrame }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap {
        last?.picture.ofSamples(map, in: picture) ?? map
    }
}
