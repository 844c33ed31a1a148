import DraftModel
import ExactTime
import Recorder
import Testing
import TestSupport
import FoundationEssentials

/// Random sequences of changes to a recording never break its rules.
@Suite("A recording at random") struct RandomRecordingTests {
    private static let speeds = [Rational(1, 2), .one, Rational(3, 2), Rational(16), Rational(7, 10)]

    @Test(
        "A refused change does nothing, the maximum holds, numbers rise, and what is over stays over",
        arguments: UInt64(1)...200)
    func walk(seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        var settings = RecordingSettings()
        if Bool.random(using: &numbers) { settings.maxDuration = MediaTime(seconds: Int.random(in: 1...20, using: &numbers)) }
        if Bool.random(using: &numbers) { settings.minDuration = MediaTime(seconds: Int.random(in: 0...1, using: &numbers)) }
        settings.frameRate = FrameRate(Rational(30_000, 1001))
        var recording = Recording(settings)
        for _ in 0..<100 {
            let before = recording
            let isDone = move(&recording, &numbers)
            if !isDone { #expect(recording == before) }
            expectOrder(before, recording)
        }
        let kept = try JSONDecoder().decode(Recording.self, from: JSONEncoder().encode(recording))
        #expect(kept == recording)
    }

    /// - Returns: whether the change was allowed.
    private func move(_ recording: inout Recording, _ numbers: inout RandomNumbers) -> Bool {
        // Mostly the number of the clip being recorded, otherwise another one.
        let number = recording.take?.number ?? Int.random(in: 0...3, using: &numbers)
        do {
            switch Int.random(in: 0..<100, using: &numbers) {
            case 0..<35:
                let speed = Self.speeds[Int.random(in: 0..<Self.speeds.count, using: &numbers)]
                _ = try recording.begin(ClipSettings(speed: speed))
            case 35..<65:
                // A renderer never gives more frames than the limit allows.
                let most = recording.take?.limit.map { recording.frameRate.firstFrame(atOrAfter: $0) } ?? 200
                try recording.record(number, frameCount: Int.random(in: 0...max(1, most), using: &numbers))
            case 65..<75: try recording.lose(number, "went wrong")
            case 75..<84: _ = try recording.discardLast()
            case 84..<87: try recording.discard(recording.clips.randomElement(using: &numbers)?.number ?? number)
            case 87: try recording.discardAll()
            case 88..<94: try recording.setBackgroundMusic(.init(url: "song.m4a"))
            case 94: try recording.finish()
            case 95: try recording.discard()
            case 96..<98:
                var settings = recording.settings
                settings.maxDuration =
                    Bool.random(using: &numbers) ? MediaTime(seconds: Int.random(in: 1...20, using: &numbers)) : nil
                settings.mirror = Bool.random(using: &numbers)
                try recording.change(settings)
            default: try recording.record(number + 1, frameCount: 1)
            }
            return true
        } catch {
            return false
        }
    }

    private func expectOrder(_ before: Recording, _ after: Recording) {
        let settings = after.settings
        #expect(after.takes >= before.takes && after.takes <= before.takes + 1)
        let given = (after.clips.map(\.number) + after.lost.map(\.number) + [after.take?.number].compactMap { $0 }).sorted()
        #expect(Set(given).count == given.count && given.allSatisfy { (1...max(1, after.takes)).contains($0) })
        #expect(after.clips.map(\.number) == after.clips.map(\.number).sorted())
        #expect(after.clips.allSatisfy { $0.duration > .zero && $0.frameCount > 0 })
        if let maximum = settings.maxDuration {
            // A maximum that is made shorter afterwards takes nothing away from clips that are there.
            if before.settings == settings, before.duration <= maximum { #expect(after.duration <= maximum) }
            if after.state == .full { #expect(after.duration >= maximum) }
            if case .recording = after.state { #expect(after.take?.limit.map { $0 > .zero } == true) }
        } else {
            #expect(after.state != .full)
        }
        if after.state == .finished { #expect(!after.clips.isEmpty && after.duration >= settings.minDuration ?? .zero) }
        if before.state == .finished || before.state == .discarded { #expect(after == before) }
        if before.settings.backgroundMusic != settings.backgroundMusic {
            #expect(before.clips.isEmpty && after.clips.isEmpty)
        }
        if before.settings != settings { #expect(after.clips == before.clips) }
    }
}
