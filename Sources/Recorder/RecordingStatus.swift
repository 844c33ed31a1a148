public import DraftModel
public import ExactTime
public import Vocabulary

/// A recording as its clients see it.
public struct RecordingStatus: Hashable, Sendable, Codable {
    public enum Name: String, CaseIterable, Hashable, Sendable, Codable { case open, recording, full, finished, discarded }

    /// A clip with the place of its film.
    public struct Clip: Hashable, Sendable, Codable {
        public var number: Int
        /// As the draft names it.
        public var url: String
        /// What came in; nil where that is no longer there.
        public var input: String?
        public var speed: Rational
        public var volume: Double
        public var fileType: FileType
        public var frameCount: Int
        /// In its own time.
        public var duration: MediaTime
        /// In the draft.
        public var filmDuration: MediaTime
    }

    public var state: Name
    /// Of all clips, in film time.
    public var duration: MediaTime
    /// What is left until the maximum, in film time; nil without one.
    public var remaining: MediaTime?
    public var clips: [Clip]
    /// Clips that came to nothing.
    public var lost: [LostClip]
    /// The clip that is being recorded.
    public var take: Take?
    public var settings: RecordingSettings

    /// - Parameters:
    ///   - url: where a clip's film is.
    ///   - input: where what came in for it is.
    public init(_ recording: Recording, url: (RecordedClip) -> String, input: (RecordedClip) -> String?) {
        state =
            switch recording.state {
            case .open: .open
            case .recording: .recording
            case .full: .full
            case .finished: .finished
            case .discarded: .discarded
            }
        duration = recording.duration
        remaining = recording.remaining
        clips = recording.clips.map { clip in
            Clip(
                number: clip.number, url: url(clip), input: input(clip), speed: clip.speed, volume: clip.volume,
                fileType: clip.fileType, frameCount: clip.frameCount, duration: clip.duration,
                filmDuration: clip.filmDuration)
        }
        lost = recording.lost
        take = recording.take
        settings = recording.settings
    }

    /// Which clip plays at a time of the recording, and at which time of its own.
    /// - Returns: nil outside of the recording.
    public func clip(at time: MediaTime) -> (clip: Clip, time: MediaTime)? {
        var start = MediaTime.zero
        for clip in clips {
            if time >= start, time < start + clip.filmDuration { return (clip, (time - start) * clip.speed) }
            start += clip.filmDuration
        }
        return nil
    }

    /// For a person: the state, then a line for each clip.
    public var lines: [String] {
        let count = clips.count == 1 ? "one clip" : "\(clips.count) clips"
        let bounds = [
            settings.minDuration.map { "at least \($0) s" }, settings.maxDuration.map { "at most \($0) s" },
        ].compactMap { $0 }
        var lines = ["\(state.rawValue): \(count), \(duration) s\(bounds.isEmpty ? "" : " of \(bounds.joined(separator: ", "))")"]
        for clip in clips {
            let speed = clip.speed == .one ? "" : " at speed \(clip.speed), \(clip.filmDuration) s of film"
            let volume = clip.volume == 1 ? "" : ", volume \(clip.volume)"
            lines.append("\(clip.number)  \(clip.url)  \(clip.frameCount) frames, \(clip.duration) s\(speed)\(volume)")
        }
        if let take { lines.append("\(take.number)  is being recorded") }
        lines += lost.map { "\($0.number)  lost: \($0.reason)" }
        return lines
    }
}
