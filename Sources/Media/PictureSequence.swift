import ExportPlan

/// A decoded picture and when it is shown, in ticks of its stream.
struct TimedPicture {
    var timestamp: Int64
    var frame: VideoFrame
}

/// The pictures of a source one after the other, in presentation order, whichever library decodes them. `FrameReader`
/// decides where to go.
protocol PictureSequence: AnyObject {
    /// Whether the last picture is out.
    var isDrained: Bool { get }
    /// The next picture, or nil behind the last one.
    func next() throws(MediaError) -> TimedPicture?
    /// Goes to a keyframe, given in ticks; it may come out at an earlier one, or even at a later one.
    /// - Returns: false when the source cannot seek.
    func seek(to timestamp: Int64) throws(MediaError) -> Bool
    /// Begins again at the first picture.
    func rewind() throws(MediaError)
    /// The last picture in a stretch of time, in ticks, that is in the file and could not be decoded.
    func lostPicture(in stretch: ClosedRange<Int64>) -> Int64?
}

extension PictureSequence {
    /// For libraries that refuse a damaged file as a whole.
    func lostPicture(in stretch: ClosedRange<Int64>) -> Int64? { nil }
}

/// The reader of a source's pictures that its probe chose.
func openPictures(_ facts: SourceFacts, _ video: VideoFacts, _ file: SourceFile) throws(MediaError) -> any PictureSequence {
    switch facts.container {
    case AnimatedWebP.container: try AnimatedWebP(file)
    case HeifPicture.container: try HeifPicture(file)
    case GIFPictures.container: try GIFPictures(video, file)
    default: try PictureStream(video, file)
    }
}
