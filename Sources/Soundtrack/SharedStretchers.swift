import ExactTime
import ExportPlan
import Media

/// Time stretchers that several inputs of a mix hear one after the other: parts of a sound that was cut, and sounds as if it had not
/// been.
struct SharedStretchers {
    /// Everything but the part that is heard.
    private struct Key: Hashable {
        var source: String
        var playbackRate: Rational
        var sourceSample: Int
        var reversed: Bool
        var stretch: AudioSliceInput.Stretch
        /// The segment's sample at which all that is stretched would begin. A sound that is repeated is heard again at another one: its
        /// parts belong to another stretcher, because a stretcher only goes forward.
        var firstSample: Int
    }

    /// By what is stretched: the stretcher, and the sample up to which it is taken.
    private var known: [Key: (voice: any Voice, end: Int)] = [:]

    /// The window of an input: a stretcher that another input has read up to there, or a new one.
    /// - Parameter make: makes a voice that plays all that is stretched.
    mutating func voice(
        for input: AudioSliceInput, _ window: AudioSliceInput.Window, _ make: () throws(MediaError) -> any Voice
    ) throws(MediaError) -> any Voice {
        guard var stretch = input.stretch else { return try make() }
        stretch.window?.firstSample = 0
        let key = Key(
            source: input.source, playbackRate: input.playbackRate, sourceSample: input.sourceSample, reversed: input.reversed,
            stretch: stretch, firstSample: input.firstSample - window.firstSample)
        let voice: any Voice
        if let shared = known[key], shared.end <= window.firstSample {
            voice = shared.voice
        } else {
            voice = try make()
        }
        known[key] = (voice, window.firstSample + input.sampleCount)
        return WindowVoice(voice, firstSample: window.firstSample)
    }
}

/// Another voice from one of its samples on.
private final class WindowVoice: Voice {
    private let voice: any Voice
    private let firstSample: Int

    init(_ voice: any Voice, firstSample: Int) {
        self.voice = voice
        self.firstSample = firstSample
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        try voice.read(from: firstSample + from, count: count, into: output)
    }
}
