import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// A film with a clip that is cut in two, whose parts continue each other, sounds like the film with the whole clip.
@Suite("A clip that is cut in two")
struct SplitSoundTests {
    /// The sound of a film of these clips: the samples of all segments one after the other.
    private func film(_ clips: [MainTrackClip], _ source: SourceReference) throws -> [Double] {
        var draft = Draft()
        draft.mainTrackClips = clips
        draft.videoSize = PixelSize(width: 16, height: 16)
        var settings = ExportSettings()
        settings.fileType = .wav
        let compiled = try Compiler(settings: settings, facts: ["a": source.facts]).compile(draft)
        return try compiled.plan.audioSegments.flatMap { try mixed($0.slice, [source.facts.contentHash: source]) }
    }

    private func clip(_ start: Rational, _ end: Rational, _ change: (inout MainTrackClip) -> Void) -> MainTrackClip {
        var clip = MainTrackClip(type: .av, url: "a")
        clip.timeRange = TimeRange(from: MediaTime(start), to: MediaTime(end))
        change(&clip)
        return clip
    }

    struct Kind: CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout MainTrackClip) -> Void
    }

    static let kinds = [
        Kind(testDescription: "at speed 1.5") { $0.speed = .constant(Rational(3, 2)) },
        Kind(testDescription: "at speed 0.7, and higher") {
            $0.speed = .constant(Rational(7, 10))
            $0.pitch = 3
        },
        Kind(testDescription: "at its own speed, and lower") { $0.pitch = -2 },
        Kind(testDescription: "backwards at speed 1.5") {
            $0.speed = .constant(Rational(3, 2))
            $0.reverse = true
        },
        Kind(testDescription: "faster as a tape, and higher") {
            $0.speed = .constant(Rational(3, 2))
            $0.timePitchAlgorithm = .varispeed
            $0.pitch = 1
        },
    ]

    @Test("A clip that is cut in two sounds like the whole one, to the sample", arguments: kinds)
    func split(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let source = try await StoredSound.all[0].write(.varied(sampleRate: 44_100, channels: 2, seconds: 10), in: directory)
        let whole = try film([clip(Rational(1), Rational(8), kind.change)], source)
        var parts = [
            clip(Rational(1), Rational(3), kind.change), clip(Rational(3), Rational(41, 8), kind.change),
            clip(Rational(41, 8), Rational(8), kind.change),
        ]
        if parts[0].reverse == true { parts.reverse() }
        let split = try film(parts, source)
        #expect(whole.contains { abs($0) > 0.02 })
        #expect(split.count == whole.count)
        #expect(largestDifference(split, whole[...]) == 0)
    }

    @Test("The parts of a cut clip may be repeated, in any order of the inputs")
    func repeated() async throws {
        let directory = try TemporaryDirectory()
        let source = try await StoredSound.all[0].write(.varied(sampleRate: 44_100, channels: 2, seconds: 10), in: directory)
        let whole = try film([clip(Rational(1), Rational(7)) { $0.speed = .constant(Rational(3, 2)) }], source)
        let half = whole.count / 4
        func input(_ part: Int, at place: Int) -> AudioSliceInput {
            var timeStretch = AudioSliceInput.TimeStretch(sourceSampleCount: 6 * 44_100, pitch: 0)
            timeStretch.window = AudioSliceInput.Window(firstSample: part * half, stretchedSampleCount: half * 2)
            return .playing(
                source.facts.contentHash, at: place * half, count: half, from: 44_100, timeStretch: timeStretch)
        }
        // The inputs are in the order in which an effect that repeats both parts lists them: each part with its
        // repetition.
        let inputs = [input(0, at: 0), input(0, at: 2), input(1, at: 1), input(1, at: 3)]
        let slice = AudioSlice(sampleRate: 44_100, channels: 2, sampleCount: half * 4, inputs: inputs)
        let sounded = try mixed(slice, [source.facts.contentHash: source])
        #expect(largestDifference(Array(sounded[..<(half * 4)]), whole[..<(half * 4)]) == 0)
        #expect(largestDifference(Array(sounded[(half * 4)...]), whole[..<(half * 4)]) == 0)
    }

    @Test("The parts of a cut clip may have different volumes")
    func volumes() async throws {
        let directory = try TemporaryDirectory()
        let source = try await StoredSound.all[0].write(.varied(sampleRate: 44_100, channels: 2, seconds: 10), in: directory)
        let fast: (inout MainTrackClip) -> Void = { $0.speed = .constant(Rational(3, 2)) }
        let whole = try film([clip(Rational(1), Rational(7), fast)], source)
        var parts = [clip(Rational(1), Rational(4), fast), clip(Rational(4), Rational(7), fast)]
        parts[1].volume = 0.25
        let split = try film(parts, source)
        let middle = 2 * 2 * 44_100
        #expect(largestDifference(Array(split[..<middle]), whole[..<middle]) == 0)
        #expect(largestDifference(split[middle...].map { $0 * 4 }, whole[middle...]) < 1e-6)
    }
}
