import ExactTime
import ExportPlan
import Soundtrack
import TestSupport
import Testing

/// The explanation of a mix names the decisions by which its voices were set up.
@Suite struct SoundExplanationTests {
    private let source: SourceReference
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        source = try await StoredSound.all[0].write(.varied(sampleRate: 44_100, channels: 2, seconds: 2), in: directory)
    }

    private func explanation(_ inputs: [AudioSliceInput]) throws -> Explanation {
        let slice = AudioSlice(sampleRate: 44_100, channels: 2, sampleCount: 44_100, inputs: inputs)
        return try SegmentMixer(slice, sources: [source.facts.contentHash: source]).explanation()
    }

    private func playing(at firstSample: Int = 0, reversed: Bool = false) -> AudioSliceInput {
        .playing(source.facts.contentHash, at: firstSample, count: 11_025, from: 22_050, reversed: reversed)
    }

    @Test("Each input is a part with its decisions in the order in which its samples go through them")
    func decisions() throws {
        let ranges = [
            AudioSliceInput.SpeedRange(sampleCount: 5000, sourceSampleCount: 5000),
            AudioSliceInput.SpeedRange(sampleCount: 6025, sourceSampleCount: 12_050),
        ]
        let timeStretch = AudioSliceInput.TimeStretch(sourceSampleCount: 11_025, pitch: 2)
        var varied = playing(at: 11_025, reversed: true)
        varied.varispeed = ranges
        var stretched = playing(at: 22_050)
        stretched.timeStretch = timeStretch
        let found = try explanation([playing(), varied, stretched])
        #expect(found.subject == .sounds)
        #expect(
            found.parts.map(\.subject)
                == [0, 11_025, 22_050].map {
                    .sound(source: source.facts.contentHash, firstSample: $0, sampleCount: 11_025)
                })
        let plain = Explanation.Decision.resampling(ratio: .one)
        #expect(
            found.parts.map(\.decisions) == [
                [plain], [plain, .reversal, .varispeed(ranges: ranges)], [plain, .timeStretch(timeStretch)],
            ])
    }

    @Test("Inputs that share a time stretcher are explained with their own windows")
    func shared() throws {
        let inputs = [0, 11_025].map { first in
            var input = playing(at: first)
            input.timeStretch = AudioSliceInput.TimeStretch(
                sourceSampleCount: 22_050, pitch: 1,
                window: AudioSliceInput.Window(firstSample: first, stretchedSampleCount: 22_050))
            return input
        }
        let found = try explanation(inputs).parts.map { $0.decisions.last }
        #expect(found == inputs.map { $0.timeStretch.map { .timeStretch($0) } })
    }

    @Test("A segment without inputs has no parts")
    func silence() throws {
        #expect(try explanation([]) == Explanation(.sounds))
    }
}
