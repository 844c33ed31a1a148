public import ExactTime

/// A draft with no clip, transition, speed or repeat left in it: which layers show when, and which sounds play.
///
/// What AVFoundation calls AVVideoComposition and AVAudioMix. `lower` makes it, `plan` cuts it into jobs.
public struct Composition: Hashable, Sendable, Codable {
    public var canvas: FrameSize
    public var frameRate: FrameRate
    public var duration: MediaTime
    /// Without gaps, in order, from 0 to `duration`.
    public var instructions: [Instruction]
    public var audioInputs: [AudioInput]
    /// Nil where there are none.
    public var subtitles: [SubtitleTrack]?
    /// Nil where there are none.
    public var chapters: [Chapter]?
    /// Nil where there is none.
    public var cover: Cover?

    public init(
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
    public var frameCount: Int { frameRate.firstFrame(atOrAfter: duration) }

    /// The instruction that frame `index` belongs to.
    public func instruction(atFrame index: Int) -> Instruction? {
        let time = frameRate.time(ofFrame: index)
        return instructions.first { $0.timeRange.contains(time) }
    }
}

/// The stack of layers that shows during one stretch of the timeline. The lowest layer is opaque and covers the canvas.
public struct Instruction: Hashable, Sendable, Codable {
    public var timeRange: TimeRange
    public var layers: [Layer]

    public init(timeRange: TimeRange, layers: [Layer]) {
        self.timeRange = timeRange
        self.layers = layers
    }
}
