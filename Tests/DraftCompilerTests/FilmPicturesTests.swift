import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Pictures beside a film: the plan")
struct FilmPicturesTests {
    private let facts = ["a": SourceFacts.film("a", seconds: Rational(120)), "b": SourceFacts.film("b", seconds: Rational(120))]

    private func sample(_ clips: [MainTrackClip], poster: Rational? = nil, every interval: Rational? = nil) -> SampleDraft {
        var sample = SampleDraft(clips, facts: facts)
        sample.settings.posterTime = poster
        sample.settings.spriteInterval = interval
        return sample
    }

    @Test("Without settings there are none; with them each file is a job that waits for nothing")
    func jobs() throws {
        let clips = [MainTrackClip.film("a", lasting: Rational(30))]
        let without = try sample(clips).plan()
        #expect(without.pictures == nil && !without.jobs.contains { $0.kind == .picture })
        let plan = try sample(clips, poster: Rational(2), every: Rational(1, 5)).plan()
        let pictures = try #require(plan.pictures)
        // 150 sprites are a sheet of 100 and one of 50.
        #expect(pictures.sprites?.sheets.map(\.sheet.frames.count) == [100, 50])
        #expect(plan.jobs.filter { $0.kind == .picture }.map(\.key) == pictures.pictures.keys)
        #expect(JobKind.picture.needs.isEmpty && plan.jobCount == without.jobCount + 3)
        #expect(plan.stitch == without.stitch && plan.videoSegments == without.videoSegments)
        for job in plan.jobs where job.kind == .picture {
            #expect(job.weight > 0 && job.demand.memory > 0 && job.source != 0)
        }
    }

    @Test("A poster has the film's size, and sprites have its shape")
    func sizes() throws {
        var sample = sample([.film("a", lasting: Rational(3))], poster: .zero, every: Rational(1))
        sample.draft.videoSize = PixelSize(width: 1080, height: 1920)
        let pictures = try #require(try sample.plan().pictures)
        #expect(pictures.poster?.sheet.size == FrameSize(width: 1080, height: 1920))
        #expect(pictures.sprites.map { [$0.index.width, $0.index.height] } == [160, 284])
        sample.settings.spriteWidth = 90
        #expect(try sample.plan().pictures?.sprites.map { [$0.index.width, $0.index.height] } == [90, 160])
    }

    @Test("A picture by itself that would not fit into memory or its file type is refused")
    func tooLarge() throws {
        var sample = sample([.film("a", lasting: Rational(30))])
        func faults(_ settings: [String: String]) -> [String] {
            sample.settings = ExportSettings.read(settings).settings
            do {
                _ = try sample.plan()
                return []
            } catch {
                return ((error as? DraftError)?.diagnostics ?? []).errors.map(\.path)
            }
        }
        #expect(faults(["sheetCount": "400", "sheetColumns": "20", "pictureSize": "9000x9000"]) == ["settings.sheetCount"])
        #expect(faults(["frameTime": "1", "fileType": "webp", "pictureSize": "16384x9"]) == ["settings.frameTime"])
        #expect(faults(["frameTime": "1", "pictureSize": "16384x16384"]).isEmpty)
        #expect(faults(["frameTime": "30"]) == ["settings.frameTime"])
    }

    @Test("What one frame shows decides a poster's key, and nothing else in the film does")
    func keys() throws {
        func poster(_ clips: [MainTrackClip], at time: Rational) throws -> ArtifactKey {
            try #require(try sample(clips, poster: time).plan().pictures?.poster).key
        }
        let clip = MainTrackClip.film("a", from: Rational(10), lasting: Rational(8))
        let alone = try poster([clip], at: Rational(4))
        #expect(try poster([clip, .film("b", lasting: Rational(5))], at: Rational(4)) == alone)
        #expect(try poster([.film("b", lasting: Rational(5)), clip], at: Rational(9)) == alone)
        #expect(try poster([.film("a", from: Rational(12), lasting: Rational(4))], at: Rational(2)) == alone)
        #expect(try poster([clip], at: Rational(5)) != alone)
        var faster = sample([clip], poster: Rational(4))
        faster.settings.encoderSpeed = .fast
        #expect(try faster.plan().pictures?.poster?.key == alone, "nothing of it is encoded as video")
    }

    @Test("A poster outside the film and too many sprites are refused by name")
    func refused() throws {
        let clips = [MainTrackClip.film("a", lasting: Rational(2))]
        #expect(sample(clips, poster: Rational(2)).faults() == [Fault("settings.posterTime", .outOfRange)])
        #expect(sample(clips, poster: Rational(59, 30)).faults().isEmpty)
        let long = (0..<10).map { _ in MainTrackClip.film("a") }
        #expect(sample(long, every: Rational(1, 10)).faults() == [Fault("settings.spriteInterval", .outOfRange)])
    }

    @Test("Sprites of a very tall film are refused before a sheet of them would need more memory than there is")
    func tall() throws {
        var sample = sample([.film("a", lasting: Rational(3))], every: Rational(1))
        sample.draft.videoSize = PixelSize(width: 16, height: 8192)
        #expect(sample.faults() == [Fault("settings.spriteWidth", .outOfRange)])
        sample.settings.spriteWidth = 16
        #expect(sample.faults() == [Fault("settings.spriteWidth", .outOfRange)])
        sample.draft.videoSize = PixelSize(width: 64, height: 8192)
        #expect(sample.faults().isEmpty)
    }

    @Test("A sprite of each interval shows the frame at its beginning")
    func frames() throws {
        let plan = try sample([.film("a", from: Rational(1), lasting: Rational(3))], every: Rational(1)).compile()
        let frames = try #require(plan.plan.pictures?.sprites?.sheets.first).sheet.frames
        let expected = plan.composition.singleFrames([0, 30, 60])
        #expect(plan.composition.frameRate == FrameRate(30) && frames == expected && Set(frames).count == 3)
    }
}
