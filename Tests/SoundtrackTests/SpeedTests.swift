import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Glibc

/// Speed and pitch, measured on the mixed sound.
@Suite struct SpeedTests {
    private static let rate = 44_100
    static let speeds = [Rational(1, 2), Rational(3, 4), Rational(3, 2), Rational(2)]

    @Test("Varispeed changes the pitch by the speed", arguments: speeds + [Rational(1, 10), Rational(4)])
    func varispeed(_ speed: Rational) async throws {
        let source = try await tone(seconds: 4)
        let count = min(88_200, (Rational(150_000) / speed).floor)
        let samples = try mixed(.of(.playing("a", count: count, rate: speed), channels: 1), source.references)
        let pitch = Measuring.pitch(of: samples[(count / 8)..<(count / 8 * 7)], sampleRate: SpeedTests.rate, in: 30...2000)
        #expect(abs(pitch - 440 * speed.doubleValue) < 2, "\(pitch) Hz")
    }

    @Test(
        "Time-stretching keeps 440 Hz within 2 Hz and its level, and fills its exact number of samples",
        arguments: speeds)
    func keepsPitch(_ speed: Rational) async throws {
        let source = try await tone(seconds: 4)
        let sourceCount = 132_300
        let count = (Rational(sourceCount) / speed).rounded
        let input = AudioSliceInput.playing(
            "a", count: count, from: 100, timeStretch: .init(sourceSampleCount: sourceCount, pitch: 0))
        let samples = try mixed(.of(input, channels: 1), source.references)
        let middle = samples[(count / 4)..<(count / 4 * 3)]
        let pitch = Measuring.pitch(of: middle.prefix(44_100), sampleRate: SpeedTests.rate)
        #expect(abs(pitch - 440) < 2, "\(pitch) Hz")
        #expect(samples.count == count)
        #expect(abs(20 * log10(level(middle) / (0.3 / 2.0.squareRoot()))) < 1)
        #expect(level(samples.suffix(441)) > 0.05 && level(samples.prefix(441)) > 0.05)
    }

    @Test("Semitones change only the pitch", arguments: [(12.0, 880.0), (-12, 220), (7, 659.26), (-5, 329.63)])
    func pitch(_ semitones: Double, _ wanted: Double) async throws {
        let source = try await tone(seconds: 4)
        let input = AudioSliceInput.playing("a", count: 132_300, timeStretch: .init(sourceSampleCount: 132_300, pitch: semitones))
        let samples = try mixed(.of(input, channels: 1), source.references)
        let measured = Measuring.pitch(of: samples[44_100..<88_200], sampleRate: SpeedTests.rate)
        #expect(abs(measured - wanted) < 2, "\(measured) Hz")
    }

    @Test("After time-stretching, every beep starts within 10 ms of its exact time", arguments: speeds)
    func beepsStayInPlace(_ speed: Rational) async throws {
        // Beeps of 60 ms come every 0.7 s, starting at 0.3 s.
        let starts = (0..<8).map { 0.3 + 0.7 * Double($0) }
        let directory = try TemporaryDirectory()
        try await Waveform.of(sampleRate: SpeedTests.rate, channels: 1, count: 6 * SpeedTests.rate) { time in
            starts.contains { time >= $0 && time < $0 + 0.06 } ? 0.5 * sin(2 * .pi * 1_000 * time) : 0
        }.write(to: directory.file("beeps.wav"))
        let sourceCount = 6 * SpeedTests.rate
        let count = (Rational(sourceCount) / speed).rounded
        let input = AudioSliceInput.playing("a", count: count, timeStretch: .init(sourceSampleCount: sourceCount, pitch: 0))
        let samples = try mixed(.of(input, channels: 1), ["a": try reference(directory.file("beeps.wav"))])
        for start in starts {
            let wanted = start / speed.doubleValue
            let found = onset(samples, around: wanted)
            #expect(abs(found - wanted) < 0.01, "\(found) s instead of \(wanted) s")
        }
    }

    @Test("A reversed time-stretched sound has its beeps mirrored")
    func reversedStretch() async throws {
        let directory = try TemporaryDirectory()
        try await Waveform.of(sampleRate: SpeedTests.rate, channels: 1, count: 3 * SpeedTests.rate) { time in
            time >= 0.5 && time < 0.6 ? 0.5 * sin(2 * .pi * 1_000 * time) : 0
        }.write(to: directory.file("beep.wav"))
        let input = AudioSliceInput.playing(
            "a", count: 66_150, from: 132_299, reversed: true, timeStretch: .init(sourceSampleCount: 132_300, pitch: 0))
        let samples = try mixed(.of(input, channels: 1), ["a": try reference(directory.file("beep.wav"))])
        // The beep began 2.4 s before the end; at double speed that is 1.2 s.
        #expect(abs(onset(samples, around: 1.2) - 1.2) < 0.01)
    }

    @Test("A time-stretched source that ends early is silent after its end")
    func shortSource() async throws {
        let source = try await tone(seconds: 1)
        let input = AudioSliceInput.playing("a", count: 176_400, timeStretch: .init(sourceSampleCount: 88_200, pitch: 0))
        let samples = try mixed(.of(input, channels: 1), source.references)
        #expect(level(samples[20_000..<80_000]) > 0.1)
        #expect(samples[100_000...].allSatisfy { abs($0) < amplitude(decibels: -60) })
    }

    @Test("A time-stretched mix has the same samples every time")
    func repeatable() async throws {
        let source = try await tone(seconds: 2)
        let input = AudioSliceInput.playing("a", count: 40_000, timeStretch: .init(sourceSampleCount: 60_000, pitch: 3))
        let first = try mixed(.of(input), source.references)
        #expect(try mixed(.of(input), source.references) == first)
    }

    /// The time, near a given one, at which the sound first exceeds half of its maximum there.
    private func onset(_ samples: [Double], around time: Double) -> Double {
        let first = max(0, Int((time - 0.12) * 44_100))
        let near = samples[first..<min(samples.count, Int((time + 0.12) * 44_100))]
        let peak = near.reduce(0) { max($0, abs($1)) }
        return Double(near.firstIndex { abs($0) > peak / 2 } ?? 0) / 44_100
    }

    private func level(_ samples: some Collection<Double>) -> Double {
        (samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)).squareRoot()
    }

    /// A tone of 440 Hz with a peak of 0.3. The directory must exist as long as the files are read.
    private func tone(
        seconds: Int
    ) async throws -> (references: [String: SourceReference], directory: TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        try await Waveform.of(sampleRate: SpeedTests.rate, channels: 1, count: seconds * SpeedTests.rate) {
            0.3 * sin(2 * .pi * 440 * $0)
        }.write(to: directory.file("tone.wav"))
        return (["a": try reference(directory.file("tone.wav"))], directory)
    }
}
