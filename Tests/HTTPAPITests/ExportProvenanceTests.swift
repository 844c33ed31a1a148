import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import NIOCore
import Provenance
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("The provenance of a farm's film")
struct ExportProvenanceTests {
    private static let bytes = Array("the bytes of a film".utf8)

    /// A draft of an uploaded picture and one that is named by its path.
    private static func draft(_ hash: String) -> String {
        #"{"version":1,"title":"For {{name}}","mainTrackClips":[{"type":"image","url":"asset:\#(hash)","duration":1},"#
            + #"{"type":"image","url":"/media/card.png","duration":1}]}"#
    }

    /// Uploads a picture under a name of its own.
    /// - Returns: its hash.
    private func upload(to farm: Farm) async throws -> String {
        let bytes = Array("a picture".utf8)
        let hash = ContentHash.of(bytes)
        let name = try #require(HTTPField.Name("Asset-Name"))
        let answer = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes, headers: [name: "beach.png"])
        try #require(answer.status == .created, "\(answer.text)")
        return hash
    }

    /// Submits an export, waits until the farm has completed it, and stores the files that its jobs would have made.
    /// - Parameter body: the body of the submission.
    private func complete(_ farm: Farm, _ body: String) async throws -> Export {
        let answer = try await farm.send(.post, "/v1/exports", body: body)
        try #require(answer.status == .created, "\(answer.text)")
        let id = try answer.json(Export.self).id
        // The stream of events ends with the export.
        _ = try await farm.send(.get, "/v1/exports/\(id)/events")
        let export = try #require(try await farm.store.export(id, tenant: nil))
        try #require(export.state == .completed, "\(export.failure?.message ?? "")")
        try farm.putFilm(ExportProvenanceTests.bytes, tenant: export.tenant, as: try #require(export.filmKey))
        for key in export.pictures?.keys ?? [] { try farm.putFilm(Array(key.text.utf8), tenant: export.tenant, as: key) }
        return export
    }

    private func ask(_ farm: Farm, _ export: ExportID, _ query: String = "", as token: String = "read") async throws -> Answer {
        try await farm.send(.get, "/v1/exports/\(export)/provenance\(query)", as: token)
    }

    private func read(_ farm: Farm, _ export: Export, _ query: String = "") async throws -> FilmProvenance {
        let answer = try await ask(farm, export.id, query)
        try #require(answer.status == .ok, "\(answer.text)")
        return try FilmProvenance(reading: Data(answer.body.readableBytesView))
    }

    @Test("names the film, the draft, its sources, the program, and each job with its worker")
    func contents() async throws {
        var options = Farm.quickOptions
        (options.version, options.commit) = ("1.2.3", "abcdef")
        let farm = try await Farm(options: options)
        let hash = try await upload(to: farm)
        let document = ExportProvenanceTests.draft(hash)
        try await farm.led {
            let fields = #""label":"Summer","parameters":{"name":"Anna"},"settings":{"posterTime":0.5}"#
            let export = try await complete(farm, #"{"document":\#(document),\#(fields)}"#)
            let record = try await read(farm, export, "?name=holiday.mp4")
            let bytes = ExportProvenanceTests.bytes
            #expect(record.film == .init(name: "holiday.mp4", sha256: ContentHash.of(bytes), byteCount: bytes.count))
            let poster = try #require(export.pictures?.poster).text
            let files = [
                FilmProvenance.File(name: "holiday.poster.jpg", sha256: ContentHash.of(poster.utf8), byteCount: poster.utf8.count)
            ]
            #expect(record.files == files)
            let draft = FilmProvenance.Draft(
                document: document, sha256: ContentHash.of(document.utf8), folder: "", parameters: ["name": "Anna"],
                settings: ["posterTime": "0.5"], clip: nil, withoutFilters: false)
            #expect(record.draft == draft)
            let sources = [
                FilmProvenance.Source(
                    location: "/media/card.png", sha256: ContentHash.of("/media/card.png".utf8), byteCount: 1000),
                FilmProvenance.Source(location: "asset:\(hash)", sha256: hash, byteCount: 1000, name: "beach.png"),
            ]
            #expect(record.sources == sources && record.fonts.isEmpty)
            let program = FilmProvenance.Software(
                version: "1.2.3", commit: "abcdef", renderer: rendererVersion, libraries: [:])
            #expect(record.program == program)
            let stored = try await farm.store.jobs(JobFilter(export: export.id, limit: 100)).filter { $0.kind != .probe }
            #expect(record.jobs.map(\.key) == stored.map(\.key.text))
            #expect(Set(record.jobs.map(\.kind)).isSuperset(of: ["video", "stitch", "picture"]))
            #expect(
                record.jobs.allSatisfy { $0.worker == "w1" && $0.attempt == 1 && $0.reused == false && $0.seconds ?? -1 >= 0 })
            let origin = FilmProvenance.FarmExport(id: export.id.text, label: "Summer", farm: try await farm.store.farm())
            #expect(record.export == origin)
            #expect(record.command == ["spool", "reproduce", "holiday.mp4.provenance.json"])
            #expect(abs(record.began.timeIntervalSince(export.createdAt)) <= 1 && record.seconds >= 0)
        }
    }

    @Test("says which artifacts were reused, and which draft of the library was submitted")
    func library() async throws {
        let farm = try await Farm()
        let document = ExportProvenanceTests.draft(try await upload(to: farm))
        _ = try await farm.send(.put, "/v1/drafts/card", body: document)
        try await farm.led {
            let body = #"{"draft":"card","parameters":{"name":"Anna"}}"#
            _ = try await complete(farm, body)
            let record = try await read(farm, try await complete(farm, body))
            #expect(record.film.name == "film.mp4" && record.files.isEmpty)
            #expect(record.draft.name == "card" && record.draft.revision == 1 && record.draft.document == document)
            let segments = record.jobs.filter { $0.kind == "video" }
            #expect(!segments.isEmpty)
            #expect(segments.allSatisfy { $0.reused == true && $0.seconds == nil && $0.worker == nil && $0.attempt == nil })
        }
    }

    @Test("is that of the tenant's own films, and has a name without a folder")
    func access() async throws {
        let farm = try await Farm()
        let hash = try await upload(to: farm)
        try await farm.led {
            let body = #"{"document":\#(ExportProvenanceTests.draft(hash)),"parameters":{"name":"Anna"}}"#
            let export = try await complete(farm, body)
            #expect(try await ask(farm, export.id, as: "other").status == .notFound)
            #expect(try await ask(farm, export.id, as: "submit").status == .forbidden)
            #expect(try await ask(farm, export.id, as: "admin").status == .ok)
            #expect(try await ask(farm, ExportID()).status == .notFound)
            for name in ["a%2Fb.mp4", "..%2Ffilm.mp4", String(repeating: "a", count: 256)] {
                let answer = try await ask(farm, export.id, "?name=\(name)")
                #expect(answer.status == .badRequest, "\(name)")
                #expect(
                    answer.fault?.detail
                        == "the name of a film's file has 1...255 characters, and no slash among them", "\(name)")
            }
            let head = try await farm.send(.head, "/v1/exports/\(export.id)/provenance")
            #expect(head.status == .ok && head.body.readableBytes == 0)
        }
    }

    @Test("is 409 while the export is not completed, and 404 once its film is gone")
    func states() async throws {
        let farm = try await Farm()
        let open = try await farm.submit()
        let early = try await ask(farm, open.id)
        #expect(early.status == .conflict && early.fault?.detail == "the export has no film: it is submitted")
        _ = try await farm.send(.post, "/v1/exports/\(open.id)/cancel")
        #expect(try await ask(farm, open.id).status == .conflict)
        let hash = try await upload(to: farm)
        let body = #"{"document":\#(ExportProvenanceTests.draft(hash)),"parameters":{"name":"Anna"}}"#
        try await farm.led {
            let export = try await complete(farm, body)
            let key = try #require(export.filmKey).text
            let sum = "\(farm.directory.path)/tenants/\(export.tenant)/\(key.prefix(2))/\(key).sum"
            try FileManager.default.removeItem(atPath: sum)
            let lost = try await ask(farm, export.id)
            #expect(lost.status == .notFound)
            #expect(
                lost.fault?.detail.hasSuffix("' is no longer in the farm's storage; rerun the export to have it again") == true)
            let again = try await complete(farm, body)
            #expect(try await ask(farm, again.id).status == .ok)
            #expect(try await farm.send(.delete, "/v1/exports/\(again.id)/film").status == .noContent)
            let removed = try await ask(farm, again.id)
            #expect(removed.status == .notFound && removed.fault?.detail.contains("was removed") == true)
        }
    }

    @Test("is 409 once the facts about the sources are gone with the history")
    func history() async throws {
        let farm = try await Farm()
        let hash = try await upload(to: farm)
        try await farm.led {
            let body = #"{"document":\#(ExportProvenanceTests.draft(hash)),"parameters":{"name":"Anna"}}"#
            let export = try await complete(farm, body)
            let counts = try await farm.store.moveToHistory(endedBefore: Date() + 1000, limit: 500)
            #expect(counts.movedExports == 1)
            let answer = try await ask(farm, export.id)
            #expect(answer.status == .conflict && answer.fault?.detail.contains("no longer kept; rerun it") == true)
        }
    }

    @Test("is 409 for a film that this version plans otherwise, and for a picture that was made instead of a film")
    func others() async throws {
        let farm = try await Farm()
        let gap = #"{"version":1,"videoSize":{"width":64,"height":64},"mainTrackClips":[{"type":"color","duration":1}]}"#
        // The film of this export has a key that no plan of a draft has.
        let foreign = try await farm.submit(gap)
        try await farm.plan(foreign)
        try await farm.finish(try await farm.take(foreign))
        try await farm.finish(try await farm.take(foreign, kind: .stitch))
        try farm.putFilm(ExportProvenanceTests.bytes, tenant: foreign.tenant)
        let otherwise = try await ask(farm, foreign.id)
        #expect(otherwise.status == .conflict)
        #expect(
            otherwise.fault?.detail
                == "the film was made by another version of spool, which plans it otherwise; rerun the export to have a film of "
                + "this version with a provenance")
        try await farm.led {
            let own = try await complete(farm, #"{"document":\#(gap)}"#)
            #expect(try await read(farm, own).sources.isEmpty)
            let picture = try await complete(farm, #"{"document":\#(gap),"settings":{"frameTime":0.5}}"#)
            let answer = try await ask(farm, picture.id)
            #expect(answer.status == .conflict && answer.fault?.detail.contains("a picture instead of a film") == true)
        }
    }
}
