import ExactTime

/// A source as the reference renderer sees it: its pictures and their start times.
struct ReferenceSource {
    var pictures: [ReferencePicture]
    /// Pictures per second. A still has one picture and no rate.
    var rate: Rational?
    /// How long after a time a picture may start and still count as started: one tick of the container's time base.
    var tolerance = MediaTime.zero

    var duration: MediaTime { rate.map { MediaTime(Rational(pictures.count) / $0) } ?? .zero }

    /// The last picture that has started at a source time. If played backwards, the last one that starts before it.
    func picture(at time: MediaTime, reversed: Bool) -> ReferencePicture {
        guard let rate else { return pictures[0] }
        let starts = pictures.indices.map { MediaTime(Rational($0) / rate) }
        let shown =
            reversed ? starts.lastIndex { $0 < time - tolerance } : starts.lastIndex { $0 <= time + tolerance }
        return pictures[shown ?? 0]
    }
}
