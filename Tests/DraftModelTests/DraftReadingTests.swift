import DraftModel
import Testing
import FoundationEssentials

@Suite("Reading a draft with its settings")
struct DraftReadingTests {
    private let open = Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "{{clip}}", "speeed": 2}]}"#.utf8)

    @Test("Faults of the draft come before those of the settings, whose paths begin with `settings`")
    func order() {
        let reading = DraftReading(open, settings: ["videoQuality": "99", "preset": "lowQuality"])
        #expect(
            reading.diagnostics.map(\.path) == Draft.read(open).diagnostics.map(\.path) + ["settings.videoQuality"])
        #expect(reading.settings.preset == .lowQuality)
    }

    @Test("A template may lack values of merge fields, and its other faults are reported")
    func template() {
        #expect(DraftReading(open).diagnostics.contains { $0.code == .missingParameter })
        #expect(DraftReading(template: open).diagnostics.map(\.code) == [.unknownField])
    }

    @Test("Settings are read also where the document is not JSON")
    func noDraft() {
        let reading = DraftReading(Data("no".utf8), settings: ["preset": "none"])
        #expect(reading.draft == nil)
        #expect(reading.diagnostics.map(\.code) == [.syntax, .invalidValue])
    }
}
