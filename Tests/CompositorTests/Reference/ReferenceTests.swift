import Compositor
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// Random drafts drawn by the compositor and by the reference renderer. `make fuzz` runs more of them, from a seed that
/// it prints. `SPOOL_FUZZ_SEED` is the first seed, and `SPOOL_FUZZ_DRAFTS` the number of drafts.
@Suite struct ReferenceTests {
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SPOOL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["SPOOL_FUZZ_DRAFTS"].flatMap { UInt64($0) } ?? 40
        return (0..<count).map { first &+ $0 }
    }()

    @Test("Random drafts look as the specification says, within two code values")
    func looks() async throws {
        let media = try await ReferenceMedia()
        var compared = (close: 0, loose: 0, wrong: 0)
        for seed in ReferenceTests.seeds {
            let film = try ReferenceFilm(json: RandomFilm(seed: seed).text, media)
            guard let (frame, found) = try film.comparison(ofFrames: 4) else { continue }
            compared = (compared.close + found.close, compared.loose + found.loose, compared.wrong + found.wrong)
            guard !found.isGood else { continue }
            let smallest = film.shrunk { (try? $0.comparison(ofFrames: 4)?.1.isGood) == false }
            let again = try ReferenceFilm(smallest, media).comparison(ofFrames: 4)
            Issue.record(
                "seed \(seed), frame \(frame): \(found.text); of the smallest draft, frame \(again?.frame ?? -1): \(again?.1.text ?? ""): \(smallest.text)"
            )
        }
        print("reference: \(ReferenceTests.seeds.count) drafts, \(compared)")
        #expect(compared.loose < compared.close, "most samples have to be compared closely")
    }

    @Test("A frame drawn alone is bit-identical to the frame of an export in segments")
    func frameAlone() async throws {
        let media = try await ReferenceMedia()
        var cuts = 0
        for seed in ReferenceTests.seeds {
            let film = try ReferenceFilm(json: RandomFilm(seed: seed).text, media)
            let frames = try film.frames()
            #expect(frames.count == film.frameCount && frames.count == film.reference.frameCount, "seed \(seed)")
            cuts += film.plan.videoSegments.count
            cuts -= film.composition.instructions.count { !film.composition.frameRate.frames(in: $0.timeRange).isEmpty }
            var random = RandomNumbers(seed: seed)
            for index in frames.indices.shuffled(using: &random).prefix(5) where try film.frame(index) != frames[index] {
                let smallest = film.shrunk { (try? $0.frame(index) != $0.frames()[index]) == true }
                Issue.record("seed \(seed), frame \(index) alone is another: \(smallest.text)")
                break
            }
        }
        #expect(cuts > 0, "no film was cut inside a clip")
    }
}
