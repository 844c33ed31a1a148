package import DraftModel
package import ExactTime
package import Vocabulary

/// A recording as clients see it.
package struct RecordingStatus: Hashable, Sendable, Codable {
    package enum Name: String, CaseIterable, Hashable, Sendable, Codable { case open, recording, full, finished, discarded }

    /// A clip with the location of its film.
    package struct Clip: Hashable, Sendable, Codable {
        package var number: Int
        /// The location of the film, as the draft names it.
        package var url: String
        /// The location of the incoming media; nil when they no longer exist.
        package var input: String?
        package var speed: Rational
        package var volume: Double
        package var fileType: FileType
        package var frameCount: Int
        /// How long the clip plays, in its own time.
        package var duration: MediaTime
        /// How long the clip plays in the draft.
        package var filmDuration: MediaTime
    }

    package var state: Name
    /// The duration of all clips, with those of the draft that is continued, in film time.
    package var duration: MediaTime
    /// The time left until the maximum, in film time; nil without a maximum.
    package var remaining: MediaTime?
    package var clips: [Clip]
    /// Clips that failed.
    package var lost: [LostClip]
    /// The clip that is being recorded.
    package var take: Take?
    package var settings: RecordingSettings

    /// - Parameters:
    ///   - url: the location of a clip's film.
    ///   - input: the location of a clip's incoming media.
    package init(_ recording: Recording, url: (RecordedClip) -> String, input: (RecordedClip) -> String?) {
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

    /// The clip that plays at a time of the recording, and the time within that clip.
    /// - Returns: nil outside of the recording.
    package func clip(at time: MediaTime) -> (clip: Clip, time: MediaTime)? {
        var start = settings.draftDuration ?? .zero
        for clip in clips {
            if time >= start, time < start + clip.filmDuration { return (clip, (time - start) * clip.speed) }
            start += clip.filmDuration
        }
        return nil
    }

    /// Text for a person: the state, then a line for each clip.
    package var lines: [String] {
        let count = clips.count == 1 ? "one clip" : "\(clips.count) clips"
        let bounds = [
            settings.minDuration.map { "at least \($0) s" }, settings.maxDuration.map { "at most \($0) s" },
        ].compactMap { $0 }
        var lines = ["\(state.rawValue): \(count), \(duration) s\(bounds.isEmpty ? "" : " of \(bounds.joined(separator: ", "))")"]
        if let draft = settings.draft {
            let count = draft.mainTrackClips.count
            lines.append(
                "continues a draft of \(count == 1 ? "one clip" : "\(count) clips"), \(settings.draftDuration ?? .zero) s")
        }
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
