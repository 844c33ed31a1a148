import DraftModel
import TestSupport
import ExactTime
import ExportPlan
import Testing
import Vocabulary

@Suite("Interlaced sources: the plan")
struct InterlacedSourceTests {
    private func facts(_ interlacing: Interlacing?) -> [String: SourceFacts] {
        var facts = SourceFacts.film("a", seconds: Rational(10))
        facts.video?.interlacing = interlacing
        return ["a": facts]
    }

    private func fields(_ deinterlace: Deinterlace?, _ interlacing: Interlacing?) throws -> SourceFields? {
        var clip = MainTrackClip.film("a")
        clip.deinterlace = deinterlace
        let composition = try SampleDraft([clip], facts: facts(interlacing)).compose()
        guard case .video(_, let timing)? = composition.instructions.first?.layers.last?.content else { return nil }
        return timing.fields
    }

    @Test("A clip is deinterlaced as its source says, unless the draft says something else")
    func clips() throws {
        let marked = Interlacing(order: .bottomFieldFirst, isMarked: true)
        let seen = Interlacing(order: .bottomFieldFirst, isMarked: false)
        #expect(try fields(nil, nil) == nil && fields(.auto, nil) == nil)
        #expect(try fields(nil, marked) == .marked && fields(.auto, seen) == .bottomFieldFirst)
        #expect(try fields(.off, marked) == nil && fields(.off, seen) == nil)
        #expect(try fields(.topFieldFirst, marked) == .topFieldFirst && fields(.bottomFieldFirst, nil) == .bottomFieldFirst)
    }

    @Test("A layer's video is deinterlaced as a clip is, and the keys of progressive sources do not change")
    func layers() throws {
        let json = #"""
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}], "layers": [
              {"timeRange": {"start": 0, "duration": 2}, "source": {"type": "video", "url": "a", "deinterlace": "DEINTERLACE"}}]}
            """#
        func plan(_ deinterlace: String, _ interlacing: Interlacing?) throws -> RenderPlan {
            try SampleDraft(json: json.replacing("DEINTERLACE", with: deinterlace), facts: facts(interlacing)).plan()
        }
        let marked = Interlacing(order: .topFieldFirst, isMarked: true)
        #expect(try plan("auto", nil) == plan("off", nil))
        #expect(try plan("auto", marked) != plan("off", marked) && plan("auto", marked) != plan("topFieldFirst", marked))
        #expect(try plan("auto", nil) != plan("auto", marked), "the clip below it is deinterlaced, too")
    }
}
