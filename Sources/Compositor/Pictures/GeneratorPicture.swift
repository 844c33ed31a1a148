import ExactTime
import ExportPlan
import Media

/// A picture that a plug-in draws for a time. It is drawn again in each frame, except where its time is held and none
/// of its numbers changes.
final class GeneratorPicture: LayerPicture {
    let width: Double
    let height: Double
    private let content: GeneratedContent
    private let size: FrameSize
    private let plugin: CalledPlugin
    private let frameRate: FrameRate
    private let log: DecisionLog?
    private var last: (index: Int, picture: RasterPicture)?

    /// - Parameter layer: the layer that shows it. Without a transform the picture has the size of the layer's place, which
    ///   is smaller than its own for what is blurred.
    init(_ content: GeneratedContent, of layer: Layer, _ context: PaintContext) throws(MediaError) {
        self.content = content
        size = layer.transform == nil ? layer.placement?.destination.size ?? content.size : content.size
        (width, height) = (Double(size.width), Double(size.height))
        plugin = try CalledPlugin(content.call, context)
        frameRate = context.frameRate
        log = context.log
    }

    var isStill: Bool { content.isStill }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        if let last, isStill || last.index == index { return last.picture }
        let time = frameRate.time(ofFrame: index)
        log?.note(.plugin(name: plugin.name, size: size))
        let picture = try plugin.draw(size: size, at: time, ownTime: content.timing.sourceTime(at: time))
        last = (index, picture)
        return picture
    }

    var repetition: Explanation.Repetition { isStill ? .once : .everyFrame }
}
