import ExportPlan
import Streaming

/// A soundtrack of a stream, as far as it is encoded. It is cut into segments of six seconds, which begin anew with each
/// part that a job has encoded.
struct SoundStream {
    /// The length of a segment in seconds.
    private static let segment = 6

    /// The place of the soundtrack among those of the film.
    let number: Int
    /// How players name it; nil where nobody has named it.
    let tags: SoundTrackTags?
    /// The artifacts of the encoded parts at the beginning of the film that are there, without gaps.
    let ready: [ArtifactKey]
    /// The number of parts. All but the last have the same number of packets.
    let partCount: Int

    init(number: Int, tags: SoundTrackTags?, parts: [SoundContinuation], done: Set<ArtifactKey>) {
        self.number = number
        self.tags = tags
        ready = Array(parts.map(\.key).prefix { done.contains($0) })
        partCount = parts.count
    }

    var isComplete: Bool { ready.count == partCount }

    /// The playlist of what is there.
    /// - Parameters:
    ///   - first: the track of the first part.
    ///   - last: the track of the last part that is there.
    func playlist(first: MovieTrack, last: MovieTrack) -> MediaPlaylist {
        var segments: [MediaPlaylist.Segment] = []
        for part in ready.indices {
            let track = part == ready.count - 1 ? last : first
            for index in 0..<SoundStream.segmentCount(track) {
                let ticks = track.samples[SoundStream.samples(of: index, track)].reduce(0) { $0 + $1.duration }
                segments.append(
                    MediaPlaylist.Segment(
                        file: FilmStream.File.segment(.sound(number), segments.count).name,
                        duration: Double(ticks) / Double(track.timescale)))
            }
        }
        return MediaPlaylist(
            header: FilmStream.File.header(.sound(number)).name, segments: segments,
            longest: segments.map(\.duration).max() ?? 0, isComplete: isComplete)
    }

    /// The place of a segment of the stream.
    /// - Parameter first: the track of the first part.
    /// - Returns: the part, and which of its segments it is; nil where that part is not there.
    func place(ofSegment index: Int, first: MovieTrack) -> (part: Int, segment: Int)? {
        let perPart = SoundStream.segmentCount(first)
        let part = min(index / perPart, partCount - 1)
        return part < ready.count ? (part, index - part * perPart) : nil
    }

    /// A segment of a part.
    /// - Parameters:
    ///   - index: the number of the segment in the stream.
    ///   - first: the track of the first part.
    ///   - track: that of the part which has the segment.
    /// - Returns: nil where the sound ends before.
    func fragment(_ index: Int, at place: (part: Int, segment: Int), first: MovieTrack, _ track: MovieTrack) -> MovieFragment? {
        guard place.segment < SoundStream.segmentCount(track) else { return nil }
        let samples = SoundStream.samples(of: place.segment, track)
        let before = track.samples[..<samples.lowerBound].reduce(0) { $0 + $1.duration }
        return MovieFragment(of: track, samples: samples, number: index, start: place.part * first.duration + before)
    }

    private static func segmentCount(_ track: MovieTrack) -> Int {
        (track.samples.count + samplesPerSegment(track) - 1) / samplesPerSegment(track)
    }

    private static func samples(of segment: Int, _ track: MovieTrack) -> Range<Int> {
        let length = samplesPerSegment(track)
        return (segment * length)..<min(track.samples.count, (segment + 1) * length)
    }

    private static func samplesPerSegment(_ track: MovieTrack) -> Int {
        max(1, segment * track.timescale / max(1, track.samples[0].duration))
    }
}
