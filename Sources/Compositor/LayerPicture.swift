import ExportPlan
import Media

/// A picture in its own pixels, as it is before a layer's transform puts it anywhere.
protocol LayerPicture: AnyObject {
    /// What its coordinates are measured in, in pixels.
    var width: Double { get }
    var height: Double { get }
    /// Whether it is the same picture in every frame.
    var isStill: Bool { get }
    /// The same object for the same picture as long as nothing changes.
    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture
    /// A map of its coordinates as one of the samples of the picture that it gave last.
    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap
    /// How the picture is made.
    func program(atFrame index: Int) throws(MediaError) -> LayerPictureProgram
}

extension LayerPicture {
    /// A picture may have a few samples more or less than `width` and `height` say, and is then stretched.
    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap {
        map.afterScaling(Double(picture.frame.size.width) / width, Double(picture.frame.size.height) / height)
    }
}

/// What a layer's program says of its picture, before anything is done to it.
struct LayerPictureProgram {
    var content: LayerProgram.Content
    var reading: SourceReading?
    /// How often there is another picture.
    var repetition: LayerProgram.Repetition

    init(_ content: LayerProgram.Content, repetition: LayerProgram.Repetition) {
        self.content = content
        self.repetition = repetition
    }
}
