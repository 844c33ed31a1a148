import DraftModel
import ExactTime
import Testing

@Suite("Settings of the pictures beside a film")
struct PictureSettingsTests {
    private func faults(_ values: [String: String]) -> [String] {
        ExportSettings.read(values).diagnostics.map { "\($0.path) \($0.code.rawValue)" }
    }

    @Test("They are read as exact numbers, and are written as they are read")
    func read() {
        let values = ["posterTime": "7/2", "spriteInterval": "2.5", "spriteWidth": "240"]
        let (settings, diagnostics) = ExportSettings.read(values)
        #expect(diagnostics.isEmpty && settings.posterTime == Rational(7, 2) && settings.spriteInterval == Rational(5, 2))
        #expect(settings.spriteWidth == 240 && ExportSettings.read(settings.values).settings == settings)
    }

    @Test(
        "Values that no film can have are refused",
        arguments: [
            (["posterTime": "-1"], ["posterTime outOfRange"]), (["posterTime": "soon"], ["posterTime wrongType"]),
            (["spriteInterval": "0"], ["spriteInterval outOfRange"]), (["spriteWidth": "160"], ["spriteWidth conflict"]),
            (["spriteInterval": "1", "spriteWidth": "9"], ["spriteWidth outOfRange"]),
            (
                ["fileType": "m4a", "posterTime": "1", "spriteInterval": "1"],
                ["posterTime conflict", "spriteInterval conflict"]
            ),
        ])
    func refused(values: [String: String], expected: [String]) {
        #expect(faults(values).sorted() == expected)
    }

    @Test("A recording has none")
    func recording() {
        let (_, diagnostics) = RecordingSettings.read(nil, overrides: ["posterTime": "1", "spriteInterval": "1"])
        #expect(diagnostics.map(\.path).sorted() == ["posterTime", "spriteInterval"])
    }
}
