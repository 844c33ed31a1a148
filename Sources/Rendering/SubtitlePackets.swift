import Captions
import Documents
import ExactTime
import ExportPlan
import Media

/// The texts of a subtitle track in the film's time, nothing in between.
struct SubtitlePackets {
    let number: Int
    let language: String
    /// Without gaps, from 0 on; times in milliseconds.
    private let samples: [PlainCue]
    private var next = 0

    /// - Parameter number: of the track, from 0.
    /// - Throws: `MediaError`, `CaptionError` for a file that cannot be read.
    init(_ track: SubtitleTrack, number: Int, _ sources: [String: SourceReference]) throws {
        guard let path = sources[track.source]?.path, case .captions(let file)? = try Document(ofFile: path) else {
            throw MediaError(.missing, subject: track.source, message: "is no file of captions among the sources of this job")
        }
        self.number = number
        language = track.language
        samples = SubtitlePackets.withoutGaps(try file.plainCues(subject: path), track)
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

    private static func withoutGaps(_ cues: [PlainCue], _ track: SubtitleTrack) -> [PlainCue] {
        func milliseconds(_ time: MediaTime) -> Int64 { Int64((time.seconds * Rational(1000)).rounded) }
        let (offset, first, last) = (
            milliseconds(track.start), milliseconds(track.timeRange.start), milliseconds(track.timeRange.end)
        )
        var samples: [PlainCue] = []
        var end: Int64 = 0
        for cue in cues {
            let (from, to) = (max(cue.start + offset, first), min(cue.end + offset, last))
            guard from < to else { continue }
            if from > end { samples.append(PlainCue(start: end, end: from, text: "")) }
            samples.append(PlainCue(start: from, end: to, text: cue.text))
            end = to
        }
        return samples
    }
}
