import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing

@Suite("Filters of clips")
struct FilterTests {
    private let facts = ["a": SourceFacts.film("a", seconds: Rational(10))]

    private func faults(_ filters: [Filter]) -> [DraftDiagnostic] {
        let sample = SampleDraft([.film("a").with { $0.filters = filters }], facts: facts)
        do {
            _ = try sample.plan()
            return []
        } catch let error as DraftError {
            return error.diagnostics
        } catch {
            return [DraftDiagnostic(path: "", code: .syntax, message: "\(error)")]
        }
    }

    @Test("An unknown operation or parameter, or a value out of range, is an error at its path")
    func checked() {
        let found = faults([
            Filter(type: "contrst"), Filter(type: "contrast", parameters: ["amount": 99]),
            Filter(type: "saturation", parameters: ["amout": 1]), Filter(type: "sepia", url: "x.cube"),
        ])
        #expect(
            found.map(\.path) == [
                "mainTrackClips[0].filters[0].type", "mainTrackClips[0].filters[1].amount",
                "mainTrackClips[0].filters[2].amout", "mainTrackClips[0].filters[3].url",
            ])
        #expect(found.map(\.code) == [.invalidValue, .outOfRange, .unknownField, .unknownField])
        #expect(found[0].message.contains("'contrast'") && found[2].message.contains("'amount'"))
    }

    @Test("A clip's filters become operations in the same order, and an empty list changes nothing")
    func lowered() throws {
        let filters = [Filter(type: "sepia"), Filter(type: "contrast", parameters: ["amount": 1.5])]
        let plan = try SampleDraft([.film("a").with { $0.filters = filters }], facts: facts).plan()
        let plain = try SampleDraft([.film("a").with { $0.filters = [] }], facts: facts).plan()
        #expect(
            plan.videoSegments[0].slice.instruction.layers.last?.operations == [
                Operation(name: "sepia"), Operation(name: "contrast", parameters: ["amount": .constant(1.5)]),
            ])
        #expect(plain == (try SampleDraft([.film("a")], facts: facts).plan()))
        #expect(plan.videoSegments[0].key != plain.videoSegments[0].key)
    }

    /// The operations of the clip's own layer.
    private func operations(_ plan: RenderPlan) -> [[Operation]] {
        plan.videoSegments.compactMap { $0.slice.instruction.layers.last?.operations }
    }

    @Test("An operation that moves by itself has its clip's start in every segment, and others have none")
    func beginnings() throws {
        let filters = [Filter(type: "grain"), Filter(type: "sepia"), Filter(type: "shake")]
        var sample = SampleDraft(
            [.film("a", lasting: Rational(5, 2)), .film("a", lasting: Rational(30)).with { $0.filters = filters }],
            facts: ["a": .film("a", seconds: Rational(40))])
        sample.draft.frameRate = FrameRate(24)
        let plan = try sample.plan()
        let moving = plan.videoSegments.filter { $0.slice.instruction.layers.last?.operations != nil }
        #expect(moving.count > 2)
        for segment in moving {
            let operations = segment.slice.instruction.layers.last?.operations ?? []
            let start = MediaTime(Rational(5, 2)) - FrameRate(24).time(ofFrame: segment.firstFrame)
            #expect(operations.map(\.start) == [start, nil, start])
        }
        #expect(Set(moving.map(\.key)).count == moving.count)
    }

    @Test("Operations of effects and layers have the start of their range, also in groups")
    func layerBeginnings() throws {
        var sample = SampleDraft([.film("a")], facts: facts)
        sample.draft.videoSize = PixelSize(width: 640, height: 360)
        let range = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 3))
        var effect = Effect(type: .filter)
        effect.operation = Filter(type: "ghost")
        effect.timeRangeAtMainTrack = range
        sample.draft.effects = [effect]
        var inner = DraftLayer(timeRange: TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 1)), source: nil)
        inner.operations = [Filter(type: "glitch")]
        var source = LayerSource(type: .group)
        source.layers = [inner]
        sample.draft.layers = [DraftLayer(timeRange: range, source: source)]
        let layers = try #require(try sample.compose().instructions.first?.layers)
        #expect(layers.compactMap(\.operations).flatMap { $0 }.map(\.start) == [MediaTime(seconds: 2)])
        guard case .group(let inside, _)? = layers.last?.content else {
            Issue.record("there is no group")
            return
        }
        #expect(inside.first?.operations?.first?.start == MediaTime(seconds: 3))
    }

    @Test("Lengths in operations are scaled from pixels of videoSize to pixels of the picture")
    func lengths() throws {
        let filters = [Filter(type: "blur", parameters: ["radius": 12]), Filter(type: "mosaic"), Filter(type: "sepia")]
        func lengths(_ preset: ExportSettings.Preset?, transformed: Bool) throws -> [Double?] {
            let clip = MainTrackClip.film("a").with {
                $0.filters = filters
                if transformed { $0.transform = Transform(rotation: 5) }
            }
            var sample = SampleDraft(
                [clip], facts: ["a": .film("a", seconds: Rational(2), size: FrameSize(width: 1920, height: 1080))])
            sample.draft.videoSize = PixelSize(width: 1280, height: 720)
            sample.settings.preset = preset
            let found = try #require(try sample.compose().instructions.first?.layers.last?.operations)
            #expect(found[2] == Operation(name: "sepia"))
            return [found[0].parameters["radius"]?.constantValue, found[1].parameters["size"]?.constantValue]
        }
        #expect(try lengths(nil, transformed: false) == [12, nil])
        #expect(try lengths(.size640x480, transformed: false) == [6, 8])
        // Here the operations run on the source's own pixels: three for every two of the film.
        #expect(try lengths(nil, transformed: true) == [18, 24])
        #expect(try lengths(.size640x480, transformed: true) == [18, 24])
    }

    @Test("A clip with a chroma key needs a background, and one with an opaque filter does not")
    func background() throws {
        func count(_ filter: Filter) throws -> Int? {
            var sample = SampleDraft([.film("a").with { $0.filters = [filter] }], facts: facts)
            sample.draft.background = nil
            return try sample.compose().instructions.first?.layers.count
        }
        #expect(try count(Filter(type: "blur", parameters: ["radius": 3])) == 1)
        #expect(try count(Filter(type: "chromaKey")) == 2)
    }
}
