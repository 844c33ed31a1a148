import DraftCompiler
import DraftModel
import ExportPlan
import Testing
import FoundationEssentials

@Suite("Diagnostics from probe results")
struct SourceOutcomeTests {
    private static let document = #"""
        {"version": 1, "fonts": [{"url": "own.ttf"}],
         "mainTrackClips": [{"type": "av", "url": "a"}, {"type": "av", "url": "b"}, {"type": "av", "url": "a"}],
         "effects": [{"type": "externalFilter", "name": "glow", "timeRange": {"start": 0, "duration": 1}}],
         "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": "Hi"}},
                    {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "captions", "url": "words"}}]}
        """#

    private func found(
        reported: [DraftDiagnostic] = [], _ find: (SourceUse) -> SourceOutcome?
    ) throws -> SourceOutcomes {
        let draft = try #require(Draft.read(Data(SourceOutcomeTests.document.utf8)).draft)
        return SourceOutcomes(SourceUse.all(in: draft), reported: reported) { find($0) }
    }

    @Test("A location with facts has no diagnostic, and one without has one at each place that names it")
    func facts() throws {
        let found = try found { use in
            use.url == "a" ? .failed(message: "is damaged") : .facts(.film(use.url))
        }
        #expect(found.facts["b"] == .film("b") && found.facts["a"] == nil)
        #expect(found.diagnostics.map(\.path) == ["mainTrackClips[0].url", "mainTrackClips[2].url"])
        #expect(found.diagnostics.allSatisfy { $0.code == .unreadableSource && $0.message == "'a' is damaged" })
    }

    @Test("Diagnostics from before come first")
    func reported() throws {
        let before = DraftDiagnostic(path: "id", code: .wrongType, message: "must be a string")
        let found = try found(reported: [before]) { use in
            use.url == "b" ? .refused(SourceRefusal(.forbiddenSource, "no")) : .facts(.film(use.url))
        }
        #expect(
            found.diagnostics == [before, DraftDiagnostic(path: "mainTrackClips[1].url", code: .forbiddenSource, message: "no")])
    }

    @Test("A missing file, a plug-in that cannot be used and a source without a result are missing sources")
    func missing() throws {
        let found = try found { use in
            switch use.url {
            case "a": .failed(message: "does not exist", isMissing: true)
            case "b": nil
            default: use.need == .plugin ? .failed(message: "is not here") : .facts(.film(use.url))
            }
        }
        #expect(found.diagnostics.allSatisfy { $0.code == .missingSource })
        #expect(
            found.diagnostics.map(\.message) == [
                "'a' does not exist", "'b' was never looked at", "'a' does not exist", "'glow' is not here",
            ])
    }

    @Test("A font request that was not made because of a refused file is not reported besides the file")
    func refusedFont() throws {
        let found = try found { use in
            if use.url == "own.ttf" { return .refused(SourceRefusal(.forbiddenSource, "no")) }
            return use.need == .text ? nil : .facts(.film(use.url))
        }
        #expect(found.diagnostics.map(\.path) == ["fonts[0].url"])
    }

    @Test("A font request without a result is reported where its files can be used")
    func lostFont() throws {
        let found = try found { use in use.need == .text ? nil : .facts(.film(use.url)) }
        #expect(found.diagnostics.map(\.path) == ["layers[0].source.font", "layers[1].source.url"])
    }

    @Test("Captions that cannot be read are reported once, although their font request fails too")
    func captions() throws {
        let found = try found { use in
            use.url == "words" || use.need == .text
                ? .failed(message: "cannot be read", name: use.fonts.map { _ in "/films/words" }) : .facts(.film(use.url))
        }
        #expect(found.diagnostics.map(\.path) == ["layers[1].source.url", "layers[0].source.font"])
        #expect(found.diagnostics.map(\.message) == ["'words' cannot be read", "'/films/words' cannot be read"])
    }
}
