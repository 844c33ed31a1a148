import Coordinator
import DraftModel
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("Batches over HTTP")
struct BatchTests {
    static let template =
        #"{"version":1,"title":"T {{name}}","mainTrackClips":[{"type":"av","url":"{{clip}}","speed":"{{speed}}"}]}"#

    private static func body(_ rows: [String], _ more: String = "") -> String {
        #"{"document":\#(template),"rows":[\#(rows.joined(separator: ","))]\#(more.isEmpty ? "" : "," + more)}"#
    }

    private static func row(_ name: String, speed: String = "1", clip: String = "/media/a.mp4") -> String {
        #"{"name":"\#(name)","speed":\#(speed),"clip":"\#(clip)"}"#
    }

    /// Submits the rows that wait, as the leader does.
    private static func release(_ farm: Farm) async throws {
        while try await farm.store.releaseRows(at: Date() + 1) > 0 {}
    }

    @Test("A batch is accepted, shown, listed and followed through its exports")
    func accepted() async throws {
        let farm = try await Farm()
        let wakes = farm.wakeCount
        let answer = try await farm.send(
            .post, "/v1/batches",
            body: BatchTests.body(
                [BatchTests.row("Anna"), BatchTests.row("Ben", speed: "1.5")],
                #""output":"{{name}}.webm","tags":{"name":"{{name}}","customer":"acme"},"metadata":{"order":7},"label":"hello""#))
        #expect(answer.status == .created, "\(answer.text)")
        let batch = try answer.json(Batch.self)
        #expect(answer.headers[.location] == "/v1/batches/\(batch.id)" && farm.wakeCount == wakes + 1)
        #expect(batch.label == "hello" && batch.progress == BatchProgress(rows: 2, waiting: 2) && batch.state == .running)
        #expect(try await farm.send(.get, "/v1/batches/\(batch.id)").json(Batch.self) == batch)
        #expect(try await farm.send(.get, "/v1/batches?state=running").json(Listing<Batch>.self).items == [batch])
        #expect(try await farm.send(.get, "/v1/batches?state=failed").json(Listing<Batch>.self).items == [])
        try await BatchTests.release(farm)
        let exports = try await farm.send(.get, "/v1/exports?batch=\(batch.id)").json(Listing<Export>.self).items
        #expect(exports.map(\.label) == ["Ben.webm", "Anna.webm"])
        #expect(exports.map(\.tags) == [["name": "Ben", "customer": "acme"], ["name": "Anna", "customer": "acme"]])
        #expect(exports.allSatisfy { $0.metadata == .object(["order": .number(7)]) && $0.batch?.id == batch.id })
        let source = try #require(try await farm.store.source(of: exports[0].id))
        #expect(source.parameters == ["name": "Ben", "speed": "1.5", "clip": "/media/a.mp4"])
        #expect(source.settings == ["fileType": "webm"], "the name's suffix gives the file type")
        #expect(source.document == BatchTests.template)
    }

    @Test("Seventeen faulty rows among many are all named, and nothing of the batch is accepted")
    func faulty() async throws {
        let farm = try await Farm()
        let faulty = Set((0..<17).map { $0 * 11 + 3 })
        let rows = (0..<200).map { BatchTests.row("n\($0)", speed: faulty.contains($0) ? "99" : "1") }
        let body = BatchTests.body(rows, #""output":"{{name}}""#)
        let answer = try await farm.send(.post, "/v1/batches", body: body)
        #expect(answer.status == .unprocessableContent)
        let fault = try #require(answer.fault)
        #expect(fault.code == .invalid)
        #expect(
            fault.detail
                == "17 of 200 rows have faults, so nothing of the batch is accepted; correct them, or accept the other rows with partial"
        )
        #expect(fault.diagnostics?.map(\.path) == faulty.sorted().map { "rows[\($0)].speed" })
        #expect(fault.diagnostics?.first?.message == "mainTrackClips[0].speed: must be 1/10...16, not 99")
        #expect(try await farm.send(.get, "/v1/batches").json(Listing<Batch>.self).items.isEmpty)
        try await BatchTests.release(farm)
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)

        let partial = try await farm.send(.post, "/v1/batches", body: String(body.dropLast()) + #","partial":true}"#)
        #expect(partial.status == .created)
        let batch = try partial.json(Batch.self)
        #expect(batch.progress == BatchProgress(rows: 183, refused: 17, waiting: 183))
        let refused = try await farm.send(.get, "/v1/batches/\(batch.id)/results?state=refused").json(BatchManifest.Document.self)
        #expect(refused.rows.map(\.row) == faulty.sorted().map { $0 + 1 })
        #expect(refused.rows.first?.message == "column 'speed': mainTrackClips[0].speed: must be 1/10...16, not 99")
    }

    @Test("Sources of rows are checked as those of a submission")
    func sources() async throws {
        let farm = try await Farm(sources: SourceRule(allowedDirectories: ["/media"]))
        let hash = String(repeating: "0", count: 64)
        let rows = [
            BatchTests.row("a"), BatchTests.row("b", clip: "/etc/a.mp4"), BatchTests.row("c", clip: "asset:\(hash)"),
            BatchTests.row("d", clip: ""),
        ]
        let answer = try await farm.send(.post, "/v1/batches", body: BatchTests.body(rows))
        let diagnostics = try #require(answer.fault?.diagnostics)
        #expect(diagnostics.map(\.path) == ["rows[1].clip", "rows[2].clip", "rows[3].clip"])
        #expect(diagnostics.map(\.code) == [.forbiddenSource, .missingSource, .invalidValue])
    }

    @Test("A request that cannot be a batch is refused with the reason")
    func refused() async throws {
        let farm = try await Farm()
        for (body, status, message) in [
            (BatchTests.body([]), HTTPResponse.Status.badRequest, "a batch needs at least one row"),
            (
                #"{"document":{},"rows":[{\#((0...1000).map { "\"c\($0)\":1" }.joined(separator: ","))}]}"#, .badRequest,
                "row 1 has 1001 columns; 1000 are allowed"
            ),
            (#"{"rows":[{"a":1}]}"#, .badRequest, "give either a document or the name of a draft"),
            (BatchTests.body([#"{"name":[]}"#]), .badRequest, "the body cannot be read: "),
            (BatchTests.body([BatchTests.row("a")], #""pace":0"#), .badRequest, "pace must be 0.01...1000000"),
            (BatchTests.body([BatchTests.row("a")], #""tags":{"a b":"x"}"#), .badRequest, "a tag's key has"),
            (BatchTests.body([BatchTests.row("a")], #""metadata":[1]"#), .badRequest, "metadata must be a JSON object"),
            (BatchTests.body([BatchTests.row("a")], #""priority":100"#), .forbidden, "the priority 100 is above 99"),
            (BatchTests.body([BatchTests.row("a")], #""rwos":1"#), .badRequest, "the body has an unknown field 'rwos'"),
            (
                BatchTests.body([BatchTests.row("a")], #""output":"../x""#), .unprocessableContent,
                "the template or its settings have one error"
            ),
            (#"{"draft":"none","rows":[{"a":1}]}"#, .notFound, "there is no draft 'none'"),
        ] {
            let answer = try await farm.send(.post, "/v1/batches", body: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.fault?.detail.hasPrefix(message) == true, "\(answer.text)")
        }
        var options = Farm.quickOptions
        options.documentLimit = 1000
        let small = try await Farm(options: options)
        let large = try await small.send(
            .post, "/v1/batches", body: BatchTests.body((0..<100).map { BatchTests.row("n\($0)") }))
        #expect(large.status == .contentTooLarge)
        #expect(large.fault?.detail == "the body is larger than 1000 bytes; submit its rows as several batches")
    }

    @Test("More rows than a batch may have are refused with the limit")
    func tooMany() async throws {
        let farm = try await Farm()
        let rows = Array(repeating: #"{"a":1}"#, count: BatchRows.limit + 1).joined(separator: ",")
        let answer = try await farm.send(.post, "/v1/batches", body: #"{"document":{},"rows":[\#(rows)]}"#)
        #expect(answer.status == .contentTooLarge)
        #expect(answer.fault?.detail == "a batch has at most 100000 rows, not 100001; submit them as several batches")
    }

    @Test("A destination that the farm does not have is named once, and nothing is accepted")
    func destination() async throws {
        let farm = try await Farm()
        let rows = (0..<3).map { BatchTests.row("n\($0)") }
        let body = BatchTests.body(rows, #""settings":{"destination":"elsewhere"}"#)
        let answer = try await farm.send(.post, "/v1/batches", body: body)
        #expect(answer.status == .unprocessableContent)
        let diagnostics = try #require(answer.fault?.diagnostics)
        #expect(diagnostics.map(\.path) == ["settings.destination"])
        #expect(
            diagnostics.first?.message == "'elsewhere' is no destination of this farm; there is none for this tenant")
        #expect(try await farm.send(.get, "/v1/batches").json(Listing<Batch>.self).items.isEmpty)
    }

    @Test("An idempotency key gives the same batch")
    func idempotency() async throws {
        let farm = try await Farm()
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        func submit(_ name: String) async throws -> Answer {
            try await farm.send(.post, "/v1/batches", body: BatchTests.body([BatchTests.row(name)]), headers: [key: "k"])
        }
        let first = try await submit("a")
        let again = try await submit("a")
        #expect(first.status == .created && again.status == .ok)
        #expect(try first.json(Batch.self).id == again.json(Batch.self).id)
        #expect(try await submit("b").status == .conflict)
    }

    @Test("The manifest is JSON, or CSV where it is asked for")
    func manifest() async throws {
        let farm = try await Farm()
        let template = #"{"version":1,"mainTrackClips":[{"type":"av","url":"/media/{{name}}.mp4"}]}"#
        let batch = try await farm.send(
            .post, "/v1/batches",
            body: #"{"document":\#(template),"rows":[{"name":"a,\"b\""},{"name":"c","state":"x"}],"output":"{{row}}"}"#
        ).json(Batch.self)
        try await BatchTests.release(farm)
        let document = try await farm.send(.get, "/v1/batches/\(batch.id)/results").json(BatchManifest.Document.self)
        #expect(document.batch.id == batch.id && document.rows.map(\.row) == [1, 2])
        #expect(document.rows.map(\.state) == [.submitted, .submitted] && document.rows.allSatisfy { $0.export != nil })
        let ids = document.rows.compactMap { $0.export?.text }
        let csv = """
            row,state,output,export,frames,finishedAt,message,column.name,column.state
            1,submitted,1.mp4,\(ids[0]),,,,"a,""b""\",
            2,submitted,2.mp4,\(ids[1]),,,,c,x

            """
        let answers = [
            try await farm.send(.get, "/v1/batches/\(batch.id)/results?format=csv"),
            try await farm.send(.get, "/v1/batches/\(batch.id)/results", headers: [.accept: "text/csv"]),
        ]
        for answer in answers {
            #expect(answer.text == csv)
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        }
        #expect(
            try await farm.send(.get, "/v1/batches/\(batch.id)/results?state=failed&format=csv").text == csv.prefix { $0 != "\n" }
                + "\n")
        #expect(try await farm.send(.get, "/v1/batches/\(batch.id)/results?format=xml").status == .badRequest)
        #expect(try await farm.send(.head, "/v1/batches/\(batch.id)/results").text.isEmpty)
    }

    @Test("A manifest of more rows than are read at a time is whole")
    func longManifest() async throws {
        let farm = try await Farm()
        let rows = (0..<2500).map { BatchTests.row("n\($0)") }
        let batch = try await farm.send(.post, "/v1/batches", body: BatchTests.body(rows)).json(Batch.self)
        let document = try await farm.send(.get, "/v1/batches/\(batch.id)/results").json(BatchManifest.Document.self)
        #expect(document.rows.map(\.row) == Array(1...2500) && document.rows.last?.values["name"] == "n2499")
    }

    @Test("A batch is cancelled with its exports and the rows that wait; a failed row runs again")
    func cancelAndRerun() async throws {
        let farm = try await Farm()
        let names = [BatchTests.row("a"), BatchTests.row("b")]
        let batch = try await farm.send(.post, "/v1/batches", body: BatchTests.body(names)).json(Batch.self)
        let nothing = try await farm.send(.post, "/v1/batches/\(batch.id)/rerun")
        #expect(nothing.status == .conflict && nothing.fault?.detail.hasPrefix("no row of the batch has failed") == true)
        try await BatchTests.release(farm)
        let export = try #require(try await farm.store.results(of: batch.id, after: 0, state: nil, limit: 1).first?.export)
        _ = try await farm.store.fail(export, ExportFailure(.input, message: "gone"))
        let again = try await farm.send(.post, "/v1/batches/\(batch.id)/rerun").json(Batch.self)
        #expect(again.progress.waiting == 1 && again.progress.failed == 0)
        let cancelled = try await farm.send(.post, "/v1/batches/\(batch.id)/cancel").json(Batch.self)
        #expect(cancelled.state == .cancelled && cancelled.progress.cancelled == 2 && cancelled.endedAt != nil)
        let late = try await farm.send(.post, "/v1/batches/\(batch.id)/cancel")
        #expect(late.status == .conflict && late.fault?.detail == "the batch is over already: it is cancelled")
    }

    @Test("The leader submits the rows of a batch, which ends with its last film")
    func led() async throws {
        let farm = try await Farm()
        let template = #"{"version":1,"mainTrackClips":[{"type":"image","url":"/media/{{n}}.png","duration":1}]}"#
        let rows = (0..<40).map { #"{"n":\#($0)}"# }.joined(separator: ",")
        try await farm.led {
            let batch = try await farm.send(.post, "/v1/batches", body: #"{"document":\#(template),"rows":[\#(rows)]}"#)
                .json(Batch.self)
            while try await farm.store.batch(batch.id, tenant: nil)?.state == .running { try await nextLook() }
            let ended = try await farm.send(.get, "/v1/batches/\(batch.id)").json(Batch.self)
            #expect(ended.progress.completed == 40 && ended.endedAt != nil)
            let document = try await farm.send(.get, "/v1/batches/\(batch.id)/results").json(BatchManifest.Document.self)
            #expect(document.rows.allSatisfy { $0.state == .completed && $0.frames == 30 })
        }
    }

    @Test("A tenant never sees another's batch")
    func tenancy() async throws {
        let farm = try await Farm()
        let batch = try await farm.send(.post, "/v1/batches", body: BatchTests.body([BatchTests.row("a")])).json(Batch.self)
        for (method, path) in [
            (HTTPRequest.Method.get, ""), (.get, "/results"), (.post, "/cancel"), (.post, "/rerun"),
        ] {
            #expect(try await farm.send(method, "/v1/batches/\(batch.id)\(path)", as: "other").status == .notFound)
        }
        #expect(try await farm.send(.get, "/v1/batches", as: "other").json(Listing<Batch>.self).items.isEmpty)
        #expect(try await farm.send(.get, "/v1/exports?batch=\(batch.id)", as: "other").json(Listing<Export>.self).items.isEmpty)
        #expect(try await farm.send(.get, "/v1/batches", as: "admin").json(Listing<Batch>.self).items.count == 1)
        #expect(try await farm.send(.get, "/v1/batches/nonsense").status == .notFound)
    }
}

@Suite("Tags and metadata over HTTP")
struct TagTests {
    private static func submit(_ farm: Farm, _ fields: String) async throws -> Answer {
        try await farm.send(.post, "/v1/exports", body: #"{"document":\#(Farm.draft),\#(fields)}"#)
    }

    @Test("Exports are listed by their tags and metadata, and a rerun keeps both")
    func listing() async throws {
        let farm = try await Farm()
        let export = try await TagTests.submit(farm, #""tags":{"customer":"a b","lang":"de"},"metadata":{"order":{"id":7.50}}"#)
            .json(Export.self)
        #expect(export.tags == ["customer": "a b", "lang": "de"])
        _ = try await TagTests.submit(farm, #""tags":{"customer":"a b"}"#)
        func ids(_ query: String) async throws -> [ExportID] {
            let answer = try await farm.send(.get, "/v1/exports?\(query)")
            return try answer.json(Listing<Export>.self).items.map(\.id)
        }
        #expect(try await ids("tag=customer%3Da%20b").count == 2)
        #expect(try await ids("tag=customer%3Da%20b&tag=lang%3Dde") == [export.id])
        #expect(try await ids("tag=lang%3Dfr").isEmpty)
        #expect(try await ids("metadata=%7B%22order%22%3A%7B%22id%22%3A7.5%7D%7D") == [export.id])
        let again = try await farm.send(.post, "/v1/exports/\(export.id)/rerun").json(Export.self)
        #expect(again.tags == export.tags && again.metadata == export.metadata)
        for query in ["tag=lang", "tag=lang%3Dde&tag=lang%3Dfr", "tag=%3Dx", "metadata=7", "metadata=%7B"] {
            #expect(try await farm.send(.get, "/v1/exports?\(query)").status == .badRequest, "\(query)")
        }
    }

    @Test("Tags and metadata have limits, each of which can just be reached")
    func limits() async throws {
        let farm = try await Farm()
        func tags(_ count: Int, key: Int = 10, value: Int = 1) -> String {
            let members = (0..<count).map { place in
                let name = "k\(place)"
                return
                    "\"\(name + String(repeating: "x", count: max(0, key - name.count)))\":\"\(String(repeating: "v", count: value))\""
            }
            return "\"tags\":{\(members.joined(separator: ","))}"
        }
        func metadata(_ bytes: Int) -> String { "\"metadata\":{\"a\":\"\(String(repeating: "x", count: bytes - 8))\"}" }
        for (fields, isAllowed) in [
            (tags(32), true), (tags(33), false), (tags(1, key: 63), true), (tags(1, key: 64), false), (tags(1, value: 255), true),
            (tags(1, value: 256), false), (metadata(16384), true), (metadata(16385), false), (#""tags":{"":"x"}"#, false),
            (#""tags":{"a":"\u0000"}"#, false), (#""metadata":{"a":"\u0000"}"#, false), (#""metadata":"x""#, false),
            (#""tags":{"a":1}"#, false),
        ] {
            let answer = try await TagTests.submit(farm, fields)
            #expect(answer.status == (isAllowed ? .created : .badRequest), "\(fields.prefix(60)): \(answer.text.prefix(200))")
        }
    }
}
