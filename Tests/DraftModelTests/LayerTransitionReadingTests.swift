import DraftModel
import ExactTime
import TestSupport
import Testing
import Vocabulary

/// How the transitions of layers are read.
@Suite struct LayerTransitionReadingTests {
    private func draft(_ fields: String, source: String = ##"{"type": "solid", "color": "#FF0000"}"##) -> String {
        let source = source.isEmpty ? "" : #", "source": \#(source)"#
        return
            #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 2}\#(source), \#(fields)}]}"#
    }

    @Test("Each transition name of the main track is accepted", arguments: TransitionKind.builtIn.filter { $0 != .lumaMap })
    func names(kind: TransitionKind) throws {
        let transition = #"{"type": "\#(kind.rawValue)", "duration": 0.5}"#
        let (read, diagnostics) = Draft.read(draft(#""transitionIn": \#(transition), "transitionOut": \#(transition)"#))
        #expect(diagnostics.isEmpty)
        #expect(read?.layers?[0].transitionIn?.type == kind)
        #expect(read?.layers?[0].transitionOut?.type == kind)
    }

    @Test("A transition without a type is a dissolve")
    func usual() {
        let read = Draft.read(draft(#""transitionIn": {"duration": 0.25}"#)).draft
        #expect(read?.layers?[0].transitionIn == Transition(type: .dissolve, duration: MediaTime(Rational(1, 4))))
        #expect(read?.layers?[0].transitionOut == nil)
    }

    @Test("Faults name the place, and an unknown name its nearest")
    func faults() {
        let cases: [(String, [Fault])] = [
            (#""transitionIn": {}"#, [Fault("layers[0].transitionIn.duration", .missingField)]),
            (#""transitionIn": {"duration": 0}"#, [Fault("layers[0].transitionIn.duration", .outOfRange)]),
            (#""transitionOut": {"type": "lumaMap", "duration": 1}"#, [Fault("layers[0].transitionOut.url", .missingField)]),
            (#""transitionOut": {"duration": 1, "softness": 0.5}"#, [Fault("layers[0].transitionOut.softness", .conflict)]),
            (#""transitionOut": {"duration": 1, "audio": "cut"}"#, [Fault("layers[0].transitionOut.audio", .conflict)]),
            (#""transition": {"duration": 1}"#, [Fault("layers[0].transition", .unknownField)]),
        ]
        for (fields, wanted) in cases { #expect(Draft.faults(in: draft(fields)) == wanted, "\(fields)") }
        let unknown = Draft.read(draft(#""transitionIn": {"type": "wipeleft", "duration": 1}"#)).diagnostics
        #expect(unknown.map(\.path) == ["layers[0].transitionIn.type"])
        #expect(unknown.first?.message.contains("wipeLeft") == true)
        let sound = #""transitionIn": {"duration": 1, "audio": "equalPower"}"#
        #expect(Draft.faults(in: draft(sound, source: #"{"type": "video", "url": "a"}"#)).isEmpty)
        #expect(Draft.faults(in: draft(sound, source: #"{"type": "group", "layers": []}"#)).isEmpty)
        #expect(Draft.faults(in: draft(sound, source: "")) == [Fault("layers[0].transitionIn.audio", .conflict)])
    }
}
