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

    @Test("What the catalogue does not know, or not within its range, is named with its place")
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

    @Test(
        "What is not drawn yet is refused, never ignored",
        arguments: ["blur", "sharpen", "mosaic", "zoomBlur", "chromaKey"])
    func later(type: String) {
        #expect(faults([Filter(type: type)]).map(\.code) == [.unsupported])
    }

    @Test("A clip's filters are its layer's operations, in order; without filters nothing is written")
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
}
