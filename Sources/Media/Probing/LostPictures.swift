/// Finds the pictures of a stream that were sent to its decoder and never came out, by their times alone. A decoder
/// that waits for a keyframe does not report the pictures that it drops.
struct LostPictures {
    /// The usual distance from picture to picture, in ticks.
    private let step: Int64
    /// The times of pictures that were sent and have not come out yet, in ticks.
    private var awaited: Set<Int64> = []
    /// The times of lost pictures, in ticks.
    private var lost: Set<Int64> = []
    /// The keyframe at which reading began after a seek. Pictures shown before it depend on pictures that the seek
    /// skipped.
    private var first: Int64?
    private var lastOut: Int64?

    /// - Parameter step: the usual distance from picture to picture, in ticks.
    init(step: Int64) {
        self.step = max(1, step)
    }

    /// Records that a packet of a shown picture was sent to the decoder, or was held back only because its keyframe is
    /// missing.
    mutating func sent(_ timestamp: Int64) {
        if let first, timestamp < first { return }
        awaited.insert(timestamp)
    }

    /// Records that a picture came out. Pictures come out in presentation order, so earlier ones that are still awaited
    /// are lost. A missing time counts only if it leaves a gap, because decoders may give a picture another time than
    /// its container did.
    mutating func came(_ timestamp: Int64) {
        awaited.remove(timestamp)
        // An earlier pass over this place may have lost the picture.
        lost.remove(timestamp)
        let overtaken = awaited.filter { $0 < timestamp }
        awaited.subtract(overtaken)
        for missing in overtaken where isApart(missing, lastOut) && isApart(timestamp, missing) { lost.insert(missing) }
        lastOut = timestamp
    }

    /// Records that the decoder has returned all its pictures.
    mutating func ended() {
        for missing in awaited where isApart(missing, lastOut) { lost.insert(missing) }
        awaited = []
    }

    /// Whether a picture was lost.
    var hasAny: Bool { !lost.isEmpty }

    private func isApart(_ later: Int64, _ earlier: Int64?) -> Bool { earlier.map { (later - $0) * 4 >= step * 3 } ?? true }

    /// Records that reading begins at another position.
    /// - Parameter keyframe: the time of the first packet sent from there; nil at the start of the stream, where
    ///   nothing is skipped.
    mutating func begin(at keyframe: Int64?) {
        awaited = []
        first = keyframe
        lastOut = nil
    }

    /// The last lost picture in a range of times in ticks, both ends included; nil if there is none.
    func last(in range: ClosedRange<Int64>) -> Int64? {
        lost.isEmpty ? nil : lost.filter { range.contains($0) }.max()
    }
}
