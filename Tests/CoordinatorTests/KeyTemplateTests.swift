import Coordinator
import ExportPlan
import FarmAPI
import Testing
import FoundationEssentials

@Suite("Names of files at destinations")
struct KeyTemplateTests {
    private func film(_ label: String, tenant: String = "studio") throws -> OutgoingFilm {
        OutgoingFilm(
            export: try #require(ExportID("0b8e7c1a-0000-4000-8000-000000000001")), number: 12, tenant: 1, tenantName: tenant,
            label: label, film: ArtifactKey("k"), pictures: nil, frameCount: 30,
            finishedAt: Date(timeIntervalSince1970: 1_767_323_045),
            destination: "archive", attempts: 0, queuedAt: Date(timeIntervalSince1970: 0))
    }

    @Test("Every field has its value")
    func fields() throws {
        let template = try KeyTemplate("{tenant}/{date}/{number}-{label}/{export}.{extension}")
        #expect(
            template.name(for: try film("Holiday"), fileExtension: "mp4")
                == "studio/2026-01-02/12-Holiday/0b8e7c1a-0000-4000-8000-000000000001.mp4")
        #expect(
            try KeyTemplate(KeyTemplate.usual).name(for: try film("x"), fileExtension: "webm")
                == "0b8e7c1a-0000-4000-8000-000000000001.webm")
    }

    @Test(
        "A hostile label becomes a harmless part of a name",
        arguments: [
            ("../../etc/passwd", "etc-passwd"), ("..", "untitled"), (".hidden", "hidden"), ("a/b\\c:d", "a-b-c-d"),
            ("", "untitled"), ("   ", "untitled"), ("a\u{0}b\nc", "a-b-c"), ("$(rm -rf ~)", "rm-rf"), ("--help", "help"),
            ("a-.-b", "a-b"),
            ("%2e%2e%2f", "2e-2e-2f"), ("Größe 10", "Größe-10"), ("夏休み", "夏休み"), ("a..b", "a.b"), ("ends.", "ends"),
            ("e" + String(repeating: "\u{301}", count: 500), "untitled"),
        ])
    func hostile(label: String, name: String) throws {
        #expect(KeyTemplate.safe(label) == name)
        let whole = try KeyTemplate("{label}/{export}").name(for: try film(label), fileExtension: "")
        #expect(whole.split(separator: "/", omittingEmptySubsequences: false).count == 2)
        #expect(!whole.contains("..") && !whole.hasPrefix("/") && !whole.hasPrefix("."))
    }

    @Test("A long value is cut so that a file can have the name")
    func long() {
        #expect(KeyTemplate.safe(String(repeating: "a", count: 1000)).utf8.count == 100)
        #expect(KeyTemplate.safe(String(repeating: "夏", count: 1000)).utf8.count == 99)
    }

    @Test(
        "What is no template is refused, and the message says why",
        arguments: [
            ("{label}.{extension}", "replace each other"), ("{export", "has a brace without its other one"), ("export}", "brace"),
            ("{id}-{export}", "has the unknown field '{id}'; known are "),
            ("/{export}", "is no relative name of at most 300 bytes without empty parts, '.' and '..'"), ("../{export}", "'..'"),
            ("a//{export}", "empty parts"), ("{export}/", "empty parts"),
            ("ä{export}", "has other characters than letters, digits, '.', '_', '-', '/' and spaces"),
            ("a\n{export}", "other characters"), ("", "replace each other"),
            ("{export}/" + String(repeating: "a", count: 400), "300 bytes"),
        ])
    func refused(text: String, words: String) {
        let fault = #expect(throws: KeyTemplate.Fault.self) { try KeyTemplate(text) }
        #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
    }
}
