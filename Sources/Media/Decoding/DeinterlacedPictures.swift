import CFFmpeg
import ExactTime
import ExportPlan

/// The pictures of an interlaced source, deinterlaced by libavfilter's bwdif (motion adaptive, from the frame, the one
/// before and the one after): one for each frame, or one for each field.
///
/// Where each field is a picture, times are in half ticks of the stream (`VideoFacts.ofFields`). A picture does not depend
/// on where reading began: after a seek, the first frame, which has none before it, is left out, so that `FrameReader` goes
/// to an earlier keyframe where it is the one that is wanted.
final class DeinterlacedPictures: PictureSequence {
    private let frames: any PictureSequence
    private let fields: SourceFields
    private let isOfFields: Bool
    private let timeBase: Rational
    private var graph: FilterGraph?
    private var input: FilterGraph.Input?
    /// A frame of another size or format than those in the graph, which ends before it is used.
    private var other: TimedPicture?
    private var isFlushing = false
    /// How many pictures of the graph are still left out.
    private var skipped = 0
    private var last: Int64?
    private(set) var isDrained = false

    /// - Parameters:
    ///   - fields: how the fields are told apart.
    ///   - isOfFields: whether each field is a picture.
    ///   - timeBase: seconds per tick of the stream.
    init(_ frames: any PictureSequence, _ fields: SourceFields, isOfFields: Bool, timeBase: Rational) {
        self.frames = frames
        self.fields = fields
        self.isOfFields = isOfFields
        self.timeBase = timeBase
    }

    func next() throws(MediaError) -> TimedPicture? {
        while !isDrained {
            if let frame = try graph?.pull() {
                if skipped > 0 {
                    skipped -= 1
                    continue
                }
                // bwdif counts in half ticks.
                let time = isOfFields ? frame.pointer.pointee.pts : frame.pointer.pointee.pts / 2
                // The last frame of a stream of one frame has no second field of its own.
                guard time > last ?? .min else { continue }
                last = time
                return TimedPicture(timestamp: time, frame: frame)
            }
            if isFlushing {
                graph = nil
                isFlushing = false
                guard let waiting = other else {
                    isDrained = true
                    return nil
                }
                other = nil
                try push(waiting)
            } else if let frame = try frames.next() {
                try push(frame)
            } else {
                try end()
            }
        }
        return nil
    }

    private func push(_ picture: TimedPicture) throws(MediaError) {
        let format = FilterGraph.Input(size: picture.frame.size, pixelFormat: picture.frame.pixelFormat, timeBase: timeBase)
        if graph != nil, format != input {
            other = picture
            return try end()
        }
        if graph == nil {
            let parity =
                switch fields {
                case .marked: "auto"
                case .topFieldFirst: "tff"
                case .bottomFieldFirst: "bff"
                }
            graph = try FilterGraph(
                "[in0]bwdif=mode=\(isOfFields ? "send_field" : "send_frame"):parity=\(parity):deint=all[out]", inputs: [format])
            input = format
        }
        picture.frame.pointer.pointee.pts = picture.timestamp
        try graph?.push(picture.frame)
    }

    /// Ends the graph, which then has the pictures of its last frame.
    private func end() throws(MediaError) {
        try graph?.push(nil)
        isFlushing = true
    }

    func seek(to timestamp: Int64) throws(MediaError) -> Bool {
        guard try frames.seek(to: isOfFields ? timestamp / 2 : timestamp) else { return false }
        forget()
        skipped = isOfFields ? 2 : 1
        return true
    }

    func rewind() throws(MediaError) {
        try frames.rewind()
        forget()
        skipped = 0
    }

    private func forget() {
        graph = nil
        other = nil
        isFlushing = false
        last = nil
        isDrained = false
    }

    func lostPicture(in range: ClosedRange<Int64>) -> Int64? {
        guard isOfFields else { return frames.lostPicture(in: range) }
        let (low, high) = (range.lowerBound, range.upperBound)
        // Both of these may stand for all times before and after.
        let first = low == .min ? low : low / 2
        return frames.lostPicture(in: first...max(first, high == .max ? high : high / 2)).map { $0 * 2 }
    }
}

extension VideoFacts {
    /// The facts of a stream of which each field is a picture: half the ticks, twice the rate.
    var ofFields: VideoFacts {
        var facts = self
        facts.timeBase = timeBase / Rational(2)
        facts.frameRate = FrameRate(frameRate.framesPerSecond * Rational(2)) ?? frameRate
        return facts
    }
}
