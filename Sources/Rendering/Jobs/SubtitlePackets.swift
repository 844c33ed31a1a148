import TextRendering
import Compositor
import ExactTime
import ExportPlan
import Media

/// The texts of a subtitle track that are written into the film.
struct SubtitlePackets {
    let number: Int
    let language: String
    /// The captions in the film's time, cut to the track's time range.
    private let samples: [PlainCue]
    private var next = 0

    /// - Parameter number: the track's number, from 0.
    /// - Throws: `MediaError`, or `CaptionError` for a file that cannot be read.
    init(_ track: SubtitleTrack, number: Int, _ sources: [String: SourceReference]) throws {
        guard let source = sources[track.source], case .captions(let file)? = try Document(source) else {
            throw MediaError(.missing, subject: track.source, message: "is not a captions file among the sources of this job")
        }
        self.number = number
        language = track.language
        samples = SubtitlePackets.samples(try file.plainCues(subject: source.path), track)
    }

    /// The captions as a file in WebVTT.
    var webVTT: String {
        "WEBVTT\n" + samples.map { "\n" + WebVTT.cue($0.text, Int($0.start)..<Int($0.end)) }.joined()
    }

    /// Writes all captions that begin up to a time.
    /// - Parameter time: the time in seconds.
    mutating func write(to writer: MovieWriter, until time: Double) throws(MediaError) {
        while next < samples.count, Double(samples[next].start) / 1000 <= time {
            let sample = samples[next]
            try writer.writeSubtitle(sample.text, number: number, start: sample.start, duration: sample.end - sample.start)
            next += 1
        }
    }

    /// The captions that the film shows. libavformat fills the gaps.
    private static func samples(_ cues: [PlainCue], _ track: SubtitleTrack) -> [PlainCue] {
        func milliseconds(_ time: MediaTime) -> Int64 { Int64((time.seconds * Rational(1000)).rounded) }
        let (offset, first, last) = (
            milliseconds(track.start), milliseconds(track.timeRange.start), milliseconds(track.timeRange.end)
        )
        return cues.compactMap { cue in
            let (from, to) = (max(cue.start + offset, first), min(cue.end + offset, last))
            return from < to ? PlainCue(start: from, end: to, text: cue.text) : nil
        }
    }
}
