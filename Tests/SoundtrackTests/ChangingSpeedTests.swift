import ExactTime
import ExportPlan
import TestSupport
import Testing
import Glibc

/// Sounds whose speed changes while they play.
@Suite struct ChangingSpeedTests {
    private static let rate = 44_100
    /// One second at the source's speed, one at half speed, one at double speed.
    private static let speedRanges = [
        AudioSliceInput.SpeedRange(sampleCount: 44_100, sourceSampleCount: 44_100),
        AudioSliceInput.SpeedRange(sampleCount: 44_100, sourceSampleCount: 22_050),
        AudioSliceInput.SpeedRange(sampleCount: 44_100, sourceSampleCount: 88_200),
    ]

    @Test("With varispeed every sample is the source's at its exact position, within -80 dB")
    func varispeed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("tone.wav")
        func tone(_ time: Double) -> Double { 0.3 * sin(2 * .pi * 997 * time) + 0.2 * sin(2 * .pi * 5_000 * time) }
        try await Waveform.of(sampleRate: ChangingSpeedTests.rate, channels: 2, count: 4 * ChangingSpeedTests.rate, tone)
            .write(to: path)
        var input = AudioSliceInput.playing("a", count: 132_300, from: 1_000)
        input.varispeed = ChangingSpeedTests.speedRanges
        let samples = try mixed(.of(input, channels: 2), ["a": try reference(path)])
        var worst = 0.0
        for index in 200..<132_000 {
            let passed = Double(index)
            let place =
                index < 44_100 ? passed : index < 88_200 ? 44_100 + (passed - 44_100) / 2 : 66_150 + (passed - 88_200) * 2
            // At double speed, 5000 Hz becomes 10,000 Hz, which the sample rate can still represent.
            worst = max(worst, abs(samples[2 * index] - tone((1_000 + place) / 44_100)))
        }
        #expect(worst < amplitude(decibels: -80), "\(worst)")
    }

    @Test("Frequencies that a higher speed moves above half the rate are removed and do not alias")
    func noAliases() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("high.wav")
        try await Waveform.of(sampleRate: ChangingSpeedTests.rate, channels: 1, count: 4 * ChangingSpeedTests.rate) {
            0.5 * sin(2 * .pi * 15_000 * $0)
        }.write(to: path)
        var input = AudioSliceInput.playing("a", count: 66_150)
        input.varispeed = [
            AudioSliceInput.SpeedRange(sampleCount: 22_050, sourceSampleCount: 22_050),
            AudioSliceInput.SpeedRange(sampleCount: 44_100, sourceSampleCount: 88_200),
        ]
        let samples = try mixed(.of(input, channels: 1), ["a": try reference(path)])
        let fast = samples[24_000..<64_000]
        #expect(fast.reduce(0) { max($0, abs($1)) } < amplitude(decibels: -60))
    }

    @Test("With its pitch kept, a tone stays at 440 Hz at all speeds, and clicks are in place")
    func stretched() async throws {
        let directory = try TemporaryDirectory()
        let (tone, clicks) = (directory.file("tone.wav"), directory.file("clicks.wav"))
        try await Waveform.of(sampleRate: ChangingSpeedTests.rate, channels: 1, count: 154_350) {
            0.3 * sin(2 * .pi * 440 * $0)
        }.write(to: tone)
        let starts = stride(from: 0.1, to: 3.4, by: 0.3).map { $0 }
        try await Waveform.of(sampleRate: ChangingSpeedTests.rate, channels: 1, count: 154_350) { time in
            starts.contains { time >= $0 && time < $0 + 0.02 } ? 0.5 * sin(2 * .pi * 1_500 * time) : 0
        }.write(to: clicks)
        let input = AudioSliceInput.playing(
            "a", count: 132_300,
            timeStretch: .init(sourceSampleCount: 154_350, pitch: 0, speedRanges: ChangingSpeedTests.speedRanges))
        let heard = try mixed(.of(input, channels: 1), ["a": try reference(tone)])
        for second in 0..<3 {
            let middle = heard[(second * 44_100 + 8_000)..<(second * 44_100 + 36_000)]
            let pitch = Measuring.pitch(of: middle, sampleRate: ChangingSpeedTests.rate)
            #expect(abs(pitch - 440) < 2, "\(pitch) Hz in second \(second)")
        }
        let clicked = try mixed(.of(input, channels: 1), ["a": try reference(clicks)])
        for start in starts {
            // Stretching to twice the length smears a click, so its position is the centre of its energy.
            let middle = start + 0.01
            let wanted = middle < 1 ? middle : middle < 1.5 ? 1 + (middle - 1) * 2 : 2 + (middle - 1.5) / 2
            let near = max(0, Int((wanted - 0.07) * 44_100))..<min(clicked.count, Int((wanted + 0.07) * 44_100))
            let energy = near.reduce(0.0) { $0 + clicked[$1] * clicked[$1] }
            let found = near.reduce(0.0) { $0 + clicked[$1] * clicked[$1] * Double($1) } / energy / 44_100
            #expect(abs(found - wanted) < 0.01, "\(found) s instead of \(wanted) s")
        }
    }
}
