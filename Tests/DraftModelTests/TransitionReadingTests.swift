import DraftModel
import Testing
import TestSupport
import Vocabulary

@Suite("Reading transitions")
struct TransitionReadingTests {
    @Test("Each transition name is accepted", arguments: TransitionKind.builtIn.filter { $0 != .lumaMap })
    func names(kind: TransitionKind) throws {
        let (draft, diagnostics) = Draft.read(DraftText.withTransition(#""type": "\#(kind.rawValue)", "duration": 1"#))
        #expect(diagnostics.isEmpty)
        #expect(draft?.mainTrackClips[1].transition?.type == kind)
    }

    @Test("A luma map is read with its picture, softness and direction")
    func lumaMap() throws {
        let text = DraftText.withTransition(
            #""type": "lumaMap", "duration": 1, "url": "map.png", "softness": 0.25, "inverted": true"#)
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        let transition = try #require(draft?.mainTrackClips[1].transition)
        #expect(transition.url == "map.png")
        #expect(transition.softness == 0.25)
        #expect(transition.inverted == true)
    }

    @Test(
        "The fields of a luma map are checked, and other transitions refuse them",
        arguments: [
            (#""type": "lumaMap", "duration": 1"#, "url", DraftDiagnostic.Code.missingField),
            (
                #""type": "lumaMap", "duration": 1, "url": "m", "softness": 1.5"#,
                "softness", DraftDiagnostic.Code.outOfRange
            ),
            (#""type": "radial", "duration": 1, "url": "m""#, "url", DraftDiagnostic.Code.conflict),
            (#""type": "fade", "duration": 1, "softness": 0"#, "softness", DraftDiagnostic.Code.conflict),
            (#""type": "fade", "duration": 1, "inverted": false"#, "inverted", DraftDiagnostic.Code.conflict),
        ])
    func faults(fields: String, field: String, code: DraftDiagnostic.Code) {
        #expect(Draft.faults(in: DraftText.withTransition(fields)) == [Fault("mainTrackClips[1].transition.\(field)", code)])
    }
}
