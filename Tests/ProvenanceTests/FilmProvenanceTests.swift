import FoundationEssentials
import Provenance
import Testing

@Suite("The provenance of a film")
struct FilmProvenanceTests {
    private static let whole = FilmProvenance(
        film: .init(name: "film.mp4", sha256: "ab", byteCount: 12),
        files: [.init(name: "film.poster.jpg", sha256: "cd", byteCount: 3)],
        draft: .init(
            document: #"{"version": 1}"#, sha256: "ef", folder: "/drafts", parameters: ["name": "Anna"],
            settings: ["videoQuality": "20"], clip: "c1", withoutFilters: true),
        sources: [.init(location: "a.mp4", sha256: "01", byteCount: 100)],
        fonts: [.init(name: "DejaVuSans", sha256: "67")],
        program: .init(version: "0.1.0", commit: "", renderer: 13, libraries: ["libavcodec": "59"]),
        jobs: [.init(kind: "video", key: "23", seconds: 1.5), .init(kind: "stitch", key: "45", seconds: nil)],
        began: Date(timeIntervalSince1970: 1_790_000_000), seconds: 2.5, command: ["spool", "export", "draft.json"])

    @Test("is read as it was written, and written the same again")
    func roundTrip() throws {
        let text = try FilmProvenanceTests.whole.text()
        let read = try FilmProvenance(reading: text)
        #expect(read == FilmProvenanceTests.whole)
        #expect(try read.text() == text)
    }

    @Test("of a farm's film has further members, which that of another film does not have")
    func ofFarm() throws {
        var farms = FilmProvenanceTests.whole
        farms.export = FilmProvenance.FarmExport(id: "e1", label: "Anna", farm: "f1")
        farms.draft.name = "card"
        farms.draft.revision = 3
        farms.sources[0].name = "beach.mp4"
        farms.jobs[0] = .init(kind: "video", key: "23", seconds: 1.5, worker: "w1", attempt: 2, reused: false)
        farms.jobs[1].reused = true
        #expect(try FilmProvenance(reading: try farms.text()) == farms)
        let plain = String(decoding: try FilmProvenanceTests.whole.text(), as: UTF8.self)
        for member in ["export", "revision", "worker", "attempt", "reused"] {
            #expect(!plain.contains("\"\(member)\" :"), "\(member)")
        }
    }

    @Test(
        "is refused with the reason where a document is something else",
        arguments: [
            ("", "it is no JSON object"), ("[1]", "it is no JSON object"), (#"{"mainTrackClips": []}"#, "it has no 'version'"),
            (#"{"version": 1}"#, "it has no 'film'"), (#"{"version": "1"}"#, "'version' is of another type"),
        ])
    func foreign(text: String, reason: String) {
        #expect(throws: FilmProvenance.Fault.noProvenance(reason)) { try FilmProvenance(reading: Data(text.utf8)) }
    }

    @Test("is refused where it has another version, or names files outside of the film's folder")
    func hostile() throws {
        #expect(throws: FilmProvenance.Fault.otherVersion(2)) { try FilmProvenance(reading: Data(#"{"version": 2}"#.utf8)) }
        var hostile = FilmProvenanceTests.whole
        hostile.files[0].name = "../keys"
        let text = try hostile.text()
        #expect(throws: FilmProvenance.Fault.noProvenance("'../keys' is not the name of a file beside the film")) {
            try FilmProvenance(reading: text)
        }
    }
}
