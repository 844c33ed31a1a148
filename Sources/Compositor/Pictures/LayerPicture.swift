import ExportPlan
import Media

/// A picture in its own pixels, as it is before a layer's transform puts it anywhere.
protocol LayerPicture: AnyObject {
    /// The size in pixels that its coordinates refer to.
    var width: Double { get }
    var height: Double { get }
    /// Whether it is the same picture in every frame.
    var isStill: Bool { get }
    /// The picture of a frame. It is the same object for as long as nothing changes.
    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture
    /// Says how many samples for each of its pixels would be shown from now on. Pictures that are drawn may then have as
    /// many, so that they are sharp.
    func useDensity(_ samplesPerPixel: Double) throws(MediaError)
    /// Converts a map of its coordinates into a map of the samples of the picture that it returned last.
    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap
    /// How often the picture that was returned last is made.
    var repetition: Explanation.Repetition { get }
}

extension LayerPicture {
    func useDensity(_ samplesPerPixel: Double) {}

    /// A picture may have a few samples more or fewer than `width` and `height` say. It is then stretched.
    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap {
        map.afterScaling(Double(picture.frame.size.width) / width, Double(picture.frame.size.height) / height)
    }
}
