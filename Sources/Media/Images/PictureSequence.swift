import ExportPlan

/// A decoded picture and its presentation time in ticks of its stream.
struct TimedPicture {
    var timestamp: Int64
    var frame: VideoFrame
}

/// The pictures of a source in presentation order, whichever library decodes them. `FrameReader` decides where to seek.
protocol PictureSequence: AnyObject {
    /// Whether the last picture has been returned.
    var isDrained: Bool { get }
    /// The next picture, or nil after the last one.
    func next() throws(MediaError) -> TimedPicture?
    /// Seeks to a keyframe, given in ticks. The container may go to an earlier one, or even to a later one.
    /// - Returns: false if the source cannot seek.
    func seek(to timestamp: Int64) throws(MediaError) -> Bool
    /// Starts again at the first picture.
    func rewind() throws(MediaError)
    /// The time of the last picture in a range of times that is in the file but could not be decoded, in ticks; nil if
    /// there is none.
    func lostPicture(in range: ClosedRange<Int64>) -> Int64?
    /// The warning of every film that shows a picture of it, beside those of damage; nil where there is none.
    var warning: SourceWarning.Code? { get }
    /// The most threads that decode.
    var threads: Int { get }
}

extension PictureSequence {
    /// Returns nil: this is for libraries that refuse a damaged file as a whole.
    func lostPicture(in range: ClosedRange<Int64>) -> Int64? { nil }

    var warning: SourceWarning.Code? { nil }

    var threads: Int { 1 }
}

/// Opens a source's pictures with the reader that its probe chose.
/// - Parameters:
///   - view: how a drawing is made; nil for its own size.
///   - primaries: the film's, to whose gamut pictures with an ICC profile are converted.
///   - threads: the most threads that decode; the pictures are the same whatever their number.
func openPictures(
    _ facts: SourceFacts, _ video: VideoFacts, _ file: SourceFile, _ view: DrawnView? = nil,
    primaries: ColorDescription.Primaries = .bt709, threads: Int = 1
) throws(MediaError) -> any PictureSequence {
    let pictures: any PictureSequence =
        switch facts.container {
        case AnimatedWebP.container: try AnimatedWebP(file)
        case HeifPicture.container: try HeifPicture(file)
        case SVGPicture.container: try SVGPicture(file, view)
        case LottiePictures.container: try LottiePictures(file, view)
        case GIFPictures.container: try GIFPictures(video, file)
        default: try PictureStream(video, file, threads: threads)
        }
    guard let profile = video.profile else { return pictures }
    return ProfiledPictures(pictures, profile, path: file.path, primaries: primaries)
}
