/// Which pictures of a stream went into its decoder and never came out, told by their times alone: a decoder that waits for a
/// keyframe says nothing of what it drops.
struct LostPictures {
    /// Ticks from picture to picture, as most are.
    private let step: Int64
    /// Sent, and not yet out.
    private var awaited: Set<Int64> = []
    /// Times of the stream, in ticks.
    private var lost: Set<Int64> = []
    /// Pictures before it lean on what a seek has left out.
    private var first: Int64?
    private var lastOut: Int64?

    /// - Parameter step: ticks from picture to picture, as most are.
    init(step: Int64) {
        self.step = max(1, step)
    }

    /// A packet of a picture that is to be shown goes into the decoder, or would if its keyframe were there.
    mutating func sent(_ timestamp: Int64) {
        if let first, timestamp < first { return }
        awaited.insert(timestamp)
    }

    /// A picture is out. Pictures come out in order, so whatever was to come before it never will. Only a gap is a loss: decoders may
    /// give a picture another time than its container did.
    mutating func came(_ timestamp: Int64) {
        awaited.remove(timestamp)
        // Another way there may have lost it.
        lost.remove(timestamp)
        let overtaken = awaited.filter { $0 < timestamp }
        awaited.subtract(overtaken)
        for missing in overtaken where isApart(missing, lastOut) && isApart(timestamp, missing) { lost.insert(missing) }
        lastOut = timestamp
    }

    /// The decoder has given out everything.
    mutating func ended() {
        for missing in awaited where isApart(missing, lastOut) { lost.insert(missing) }
        awaited = []
    }

    private func isApart(_ later: Int64, _ earlier: Int64?) -> Bool { earlier.map { (later - $0) * 4 >= step * 3 } ?? true }

    /// Reading begins at another place.
    /// - Parameter keyframe: the first packet that is sent from there; nil at the stream's start, before which nothing is left out.
    mutating func begin(at keyframe: Int64?) {
        awaited = []
        first = keyframe
        lastOut = nil
    }

    /// The last one of those that were lost in a stretch of time, both ends included.
    func last(in stretch: ClosedRange<Int64>) -> Int64? {
        lost.isEmpty ? nil : lost.filter { stretch.contains($0) }.max()
    }
}
