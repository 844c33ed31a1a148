import ExactTime
import ExportPlan
import Media

/// Time stretchers that several inputs of a mix share one after the other. The inputs that were cut from one sound then
/// sound as if it had not been cut.
struct SharedStretchers {
    /// Everything that identifies a stretched sound, without the window that one input plays of it.
    private struct Key: Hashable {
        var source: String
        var playbackRate: Rational
        var sourceSample: Int
        var reversed: Bool
        var timeStretch: AudioSliceInput.TimeStretch
        /// The segment sample at which the whole stretched sound would begin. A repeated sound begins at another sample
        /// and needs another stretcher, because a stretcher only goes forward.
        var firstSample: Int
    }

    /// For each stretched sound: its stretcher, and the sample up to which inputs have used it.
    private var known: [Key: (voice: any Voice, end: Int)] = [:]

    /// The voice of an input that plays a window of a stretched sound. It reuses a stretcher that an earlier input has
    /// read no further than the window's start, or creates one.
    /// - Parameter make: creates a voice that plays the whole stretched sound.
    mutating func voice(
        for input: AudioSliceInput, _ window: AudioSliceInput.Window, _ make: () throws(MediaError) -> any Voice
    ) throws(MediaError) -> any Voice {
        guard var timeStretch = input.timeStretch else { return try make() }
        timeStretch.window?.firstSample = 0
        let key = Key(
            source: input.source, playbackRate: input.playbackRate, sourceSample: input.sourceSample, reversed: input.reversed,
            timeStretch: timeStretch, firstSample: input.firstSample - window.firstSample)
        let voice: any Voice
        if let shared = known[key], shared.end <= window.firstSample {
            voice = shared.voice
        } else {
            voice = try make()
        }
        known[key] = (voice, window.firstSample + input.sampleCount)
        return WindowVoice(voice, window)
    }
}

/// Plays a window of another voice.
private final class WindowVoice: Voice {
    private let voice: any Voice
    private let window: AudioSliceInput.Window

    init(_ voice: any Voice, _ window: AudioSliceInput.Window) {
        self.voice = voice
        self.window = window
    }

    /// The decisions of the shared voice, with this input's window.
    var decisions: [Explanation.Decision] {
        voice.decisions.map { decision in
            guard case .timeStretch(var timeStretch) = decision else { return decision }
            timeStretch.window = window
            return .timeStretch(timeStretch)
        }
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        try voice.read(from: window.firstSample + from, count: count, into: output)
    }
}
