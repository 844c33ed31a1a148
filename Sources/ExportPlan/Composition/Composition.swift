package import ExactTime

/// A draft with its clips, transitions, speeds and repeats resolved: which layers show when, and which sounds play.
///
/// It corresponds to AVFoundation's AVVideoComposition and AVAudioMix. `lower` makes it, and `plan` cuts it into jobs.
package struct Composition: Hashable, Sendable, Codable {
    package var canvas: FrameSize
    package var frameRate: FrameRate
    package var duration: MediaTime
    /// The instructions in order, without gaps, from 0 to `duration`.
    package var instructions: [Instruction]
    /// The sounds of the film, or of the first sound track where there are several.
    package var audioInputs: [AudioInput]
    /// The mixes of all sound tracks; nil where there is only one, without tags.
    package var soundTracks: [SoundTrackMix]?
    /// The groups whose volume, pan or filters change the sounds in `audioInputs`; nil where there are none.
    package var soundGroups: [SoundGroup]?
    /// Nil where the film has no subtitles.
    package var subtitles: [SubtitleTrack]?
    /// Nil where the film has no chapters.
    package var chapters: [Chapter]?
    /// Nil where the film has no cover.
    package var cover: Cover?

    package init(
        canvas: FrameSize, frameRate: FrameRate, duration: MediaTime, instructions: [Instruction], audioInputs: [AudioInput],
        subtitles: [SubtitleTrack]? = nil
    ) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.duration = duration
        self.instructions = instructions
        self.audioInputs = audioInputs
        self.subtitles = subtitles
    }

    /// `ceil(duration * frameRate)`.
    package var frameCount: Int { frameRate.firstFrame(atOrAfter: duration) }

    /// The instruction that frame `index` belongs to.
    package func instruction(atFrame index: Int) -> Instruction? {
        let time = frameRate.time(ofFrame: index)
        return instructions.first { $0.timeRange.contains(time) }
    }
}

/// The stack of layers that shows during one range of the timeline. The lowest layer is opaque and covers the canvas,
/// except in a film that keeps its transparency, in which there may be no layer at all.
package struct Instruction: Hashable, Sendable, Codable {
    package var timeRange: TimeRange
    package var layers: [Layer]

    package init(timeRange: TimeRange, layers: [Layer]) {
        self.timeRange = timeRange
        self.layers = layers
    }
}
