import ExactTime

/// A picture that a plug-in draws without any other picture: which plug-in, how large, and at which times of its own.
package struct GeneratedContent: Hashable, Sendable, Codable {
    /// The call of the generator. Its numbers may change over time; its own time is that of `timing`.
    package var call: Operation
    /// The size of the picture in pixels.
    package var size: FrameSize
    /// The seconds since the generator's start, for each timeline time.
    package var timing: SourceTiming

    package init(call: Operation, size: FrameSize, timing: SourceTiming) {
        self.call = call
        self.size = size
        self.timing = timing
    }

    /// Whether it is the same picture at all times.
    package var isStill: Bool {
        timing.isHeld && call.parameters.values.allSatisfy { $0.constantValue != nil }
    }
}

/// The plug-in that joins the two pictures of a transition.
package struct TransitionMixer: Hashable, Sendable, Codable {
    /// The call of the mixer, whose own time begins with the transition.
    package var call: Operation
    /// The name of the number that runs over the transition.
    package var progress: String
    /// The number's value where the transition begins.
    package var first: Double
    /// The number's value where the transition ends.
    package var last: Double

    package init(call: Operation, progress: String, from first: Double, to last: Double) {
        self.call = call
        self.progress = progress
        self.first = first
        self.last = last
    }

    func retimed(_ change: Retiming) -> TransitionMixer {
        var result = self
        result.call = call.retimed(change)
        return result
    }
}
