import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Plans for a greatest size")
struct FileSizePlanTests {
    private func sample(_ change: (inout ExportSettings) -> Void) -> SampleDraft {
        var sample = SampleDraft([.film("a", lasting: Rational(20))], facts: ["a": .film("a", seconds: Rational(60))])
        change(&sample.settings)
        return sample
    }

    @Test("The allocation has what the sound leaves, every segment is limited, and the film's file is checked")
    func plan() throws {
        let plan = try sample { $0.fileSizeLimit = 3_000_000 }.plan()
        let allocation = try #require(plan.bitrate?.allocation)
        let limit = try #require(allocation.limit)
        #expect(limit.bytes == 3_000_000 && limit.soundtrack == plan.soundtrack?.key)
        #expect(allocation.bits == limit.pictureBits(soundBytes: 0) && limit.overhead > 4_000 && limit.overhead < 30_000)
        for segment in plan.videoSegments {
            guard case .share(let bitrate, allocation.key, _, true) = segment.slice.encode.rate else {
                Issue.record("\(segment.slice.encode.rate)")
                continue
            }
            // 128 kbit/s of sound are expected.
            #expect((1_000_000..<1_072_000).contains(bitrate))
        }
        #expect(plan.stitch.container.fileSizeLimit == 3_000_000)
        #expect(plan.jobs.first { $0.kind == .allocation }?.work.artifacts.contains(limit.soundtrack ?? ArtifactKey("")) == true)
    }

    @Test(
        "A size that leaves too little, and a level that is none or too low, are errors",
        arguments: [
            (["fileSizeLimit": "300000"], "settings.fileSizeLimit", DraftDiagnostic.Code.outOfRange),
            (["level": "4.14"], "settings.level", .conflict), (["level": "2.3"], "settings.level", .conflict),
            (["level": "3"], "settings.level", .conflict),
            (["level": "4", "videoBitrate": "40000000"], "settings.level", .conflict),
            (["level": "4", "fileType": "webm"], "settings.level", .conflict),
        ])
    func refused(_ values: [String: String], _ path: String, _ code: DraftDiagnostic.Code) {
        let (settings, faults) = ExportSettings.read(values)
        #expect(faults.isEmpty)
        #expect(sample { $0 = settings }.faults() == [Fault(path, code)])
    }

    @Test("A sufficient level is taken, and one rate at a time")
    func accepted() throws {
        #expect(sample { $0.level = Rational(4) }.faults().isEmpty)
        #expect(try sample { $0.level = Rational(4) }.plan().videoSegments.allSatisfy { $0.slice.encode.level == 40 })
        let both = ExportSettings.read(["fileSizeLimit": "1000000", "videoBitrate": "100000"]).diagnostics
        #expect(both.map { Fault($0.path, $0.code) } == [Fault("fileSizeLimit", .conflict)])
        let prores = ExportSettings.read(["fileSizeLimit": "1000000", "preset": "proRes422"]).diagnostics
        #expect(prores.map { Fault($0.path, $0.code) } == [Fault("fileSizeLimit", .conflict)])
    }
}
