import TestSupport
import Testing
import FoundationEssentials

/// `spool fonts`, and what `spool doctor` reports about fonts.
@Suite struct FontListTests {
    private struct Family: Decodable {
        struct Style: Decodable {
            var name: String
            var file: String
        }

        var name: String
        var styles: [Style]
    }

    @Test("The font families are listed with their styles, including those that operators add")
    func list() async throws {
        let listed = try read(try await SpoolTool.run(["fonts", "--json"]))
        #expect(listed.map(\.name) == listed.map(\.name).sorted())
        let sans = try #require(listed.first { $0.name == "DejaVu Sans" })
        #expect(sans.styles.contains { $0.name == "Bold" && $0.file.hasSuffix("DejaVuSans-Bold.ttf") })
        let text = try await SpoolTool.run(["fonts", "dejavu sans"])
        #expect(text.output.hasPrefix("DejaVu Sans: ") && text.output.contains("Bold Oblique"))

        let directory = try TemporaryDirectory()
        let added = directory.file("added.ttf")
        let bold = try #require(sans.styles.first { $0.name == "Bold" })
        try FileManager.default.copyItem(atPath: bold.file, toPath: added)
        let outcome = try await ShellTool.run(
            "SPOOL_FONT_PATH='\(directory.path)' '\(SpoolTool.executable)' fonts 'DejaVu Sans' --json")
        #expect(try read(outcome).first?.styles.map(\.file).contains(added) == true)
    }

    @Test("A missing family and a directory without fonts are reported with the remedy")
    func missing() async throws {
        let outcome = try await SpoolTool.run(["fonts", "Nowhere Grotesk"])
        #expect(outcome.status == 69 && outcome.errors.contains("'Nowhere Grotesk' is not a font that is installed"))
        let directory = try TemporaryDirectory()
        let doctor = try await ShellTool.run("SPOOL_FONT_PATH='\(directory.path)' '\(SpoolTool.executable)' doctor")
        #expect(doctor.status == 69)
        #expect(
            doctor.output.contains("BAD   fonts: '\(directory.path)' is not a directory with readable font files"),
            "\(doctor.output)")
        #expect(doctor.output.contains("SPOOL_FONT_PATH"))
        let healthy = try await SpoolTool.run(["doctor"])
        #expect(healthy.output.contains(/ok    fonts: [0-9]+ families/), "\(healthy.output)")
    }

    private func read(_ outcome: SpoolTool.Outcome) throws -> [Family] {
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Family].self, from: Data(outcome.output.utf8))
    }
}
