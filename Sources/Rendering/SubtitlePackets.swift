import Captions
import Documents
import ExactTime
import ExportPlan
import Media

/// The texts of a subtitle track, on their way into the film.
struct SubtitlePackets {
    let number: Int
    let language: String
    /// In the film's time, none longer than it is shown.
    private let samples: [PlainCue]
    private var next = 0

    /// - Parameter number: of the track, from 0.
    /// - Throws: `MediaError`, `CaptionError` for a file that cannot be read.
    init(_ track: SubtitleTrack, number: Int, _ sources: [String: SourceReference]) throws {
        guard let source = sources[track.source], case .captions(let file)? = try Document(source) else {
            throw MediaError(.missing, subject: track.source, message: "is no file of captions among the sources of this job")
        }
        self.number = number
        language = track.language
        samples = SubtitlePackets.samples(try file.plainCues(subject: source.path), track)
    }

    /// Writes what begins up to a time.
    /// - Parameter time: seconds.
    mutating func write(to writer: MovieWriter, until time: Double) throws(MediaError) {
        while next < samples.count, Double(samples[next].start) / 1000 <= time {
            let sample = samples[next]
            try writer.writeSubtitle(sample.text, number: number, start: sample.start, duration: sample.end - sample.start)
            next += 1
        }
    }

    /// Of the captions what the film shows. libavformat fills the gaps.
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
