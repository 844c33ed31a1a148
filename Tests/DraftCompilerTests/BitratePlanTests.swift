import DraftModel
import ExactTime
import ExportPlan
import Testing
import Vocabulary

/// Films with a target bitrate. Each segment is measured first and then encoded with its share of the bits.
@Suite("Bitrate plans")
struct BitratePlanTests {
    private let facts = [
        "a": SourceFacts.film("a", seconds: Rational(120)), "b": SourceFacts.film("b", seconds: Rational(120)),
    ]

    private func plan(_ clips: [MainTrackClip], _ bitrate: Int?, codec: VideoCodec? = nil) throws -> RenderPlan {
        var sample = SampleDraft(clips, facts: facts)
        sample.settings.videoBitrate = bitrate
        sample.settings.videoCodec = codec
        return try sample.plan()
    }

    private let clips = [
        MainTrackClip.film("a", from: Rational(1), lasting: Rational(20)), .film("b", from: Rational(3), lasting: Rational(10)),
    ]

    @Test("Every segment is measured and encoded with its share of exactly the film's bits")
    func shares() throws {
        let plan = try plan(clips, 2_000_000)
        let bitrate = try #require(plan.bitrate)
        #expect(bitrate.measures.map(\.slice.instruction) == plan.videoSegments.map(\.slice.instruction))
        #expect(bitrate.allocation.measures == bitrate.measures.map(\.key))
        #expect(bitrate.allocation.bits == 60_000_000)
        for (segment, measure) in zip(plan.videoSegments, bitrate.measures) {
            #expect(
                segment.slice.encode.rate == .share(bitrate: 2_000_000, allocation: bitrate.allocation.key, measure: measure.key))
        }
        #expect(try self.plan(clips, nil).bitrate == nil)
    }

    @Test("Measurements are shared with other cuts and similar bitrates, and allocations are not")
    func keys() throws {
        let first = try plan(clips, 2_000_000)
        let nearly = try plan(clips, 2_100_000)
        #expect(first.bitrate?.measures == nearly.bitrate?.measures)
        #expect(Set(first.videoSegments.map(\.key)).isDisjoint(with: nearly.videoSegments.map(\.key)))
        let shorter = try plan([clips[0]], 2_000_000)
        let known = Set(first.bitrate?.measures.map(\.key) ?? [])
        #expect(known.isSuperset(of: shorter.bitrate?.measures.map(\.key) ?? []))
        #expect(Set(first.videoSegments.map(\.key)).isDisjoint(with: shorter.videoSegments.map(\.key)))
    }

    @Test("A slice that occurs twice is measured once and encoded once")
    func twice() throws {
        let plan = try plan([clips[1], clips[0], clips[1]], 1_000_000)
        let measures = try #require(plan.bitrate?.measures)
        #expect(measures.count > 3 && Set(measures.map(\.key)).count < measures.count)
        #expect(measures.prefix(2).map(\.key) == measures.suffix(2).map(\.key))
        #expect(plan.videoSegments.prefix(2).map(\.key) == plan.videoSegments.suffix(2).map(\.key))
    }

    @Test("The lower the bitrate, the lower is the measured quality", arguments: [VideoCodec.h264, .hevc, .vp9, .av1])
    func measuringQuality(_ codec: VideoCodec) throws {
        let factors = try [100_000, 3_000_000, 5_000_000, 100_000_000].map { bitrate -> Double in
            guard case .quality(let factor)? = try plan(clips, bitrate, codec: codec).bitrate?.measures.first?.slice.encode.rate
            else { return .nan }
            return factor
        }
        #expect(factors == factors.sorted(by: >) && Set(factors).count > 2)
        #expect(factors.allSatisfy { (10...55).contains($0) })
    }
}
