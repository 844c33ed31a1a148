import ContentHashing
import Coordinator
import DraftModel
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing

@Suite("A submission")
struct SubmissionTests {
    private let key = HTTPField.Name("Idempotency-Key")

    private func send(
        _ farm: Farm, _ body: String, key value: String? = nil
    ) async throws -> (HTTPResponse.Status, Problem?) {
        var headers = HTTPFields()
        if let value, let key { headers[key] = value }
        let answer = try await farm.send(.post, "/v1/exports", body: body, headers: headers)
        return (answer.status, answer.fault)
    }

    @Test("A submission keeps its document's exact bytes, and the leader is woken")
    func accepted() async throws {
        let farm = try await Farm()
        let document = #"{ "version":1,  "title":"Sommer", "mainTrackClips":[ {"type":"av","url":"/media/{{which}}.mp4"} ] }"#
        let rest = #""parameters":{"which":"a"},"settings":{"preset":"640x480"},"priority":7"#
        let body = "{\"document\":\(document),\(rest)}"
        let answer = try await farm.send(.post, "/v1/exports", body: body)
        #expect(answer.status == .created)
        let export = try answer.json(Export.self)
        #expect(answer.headers[.location] == "/v1/exports/\(export.id)")
        #expect(export.label == "Sommer")
        #expect(export.priority == 7)
        #expect(export.pool == "default")
        #expect(farm.wakeCount == 1)
        let source = try #require(try await farm.store.exportsToCompile(limit: 1).first?.source)
        #expect(source.document == document)
        #expect(source.parameters == ["which": "a"])
        #expect(source.settings == ["preset": "640x480"])
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)").json(Export.self).id == export.id)
    }

    @Test("A repeated Idempotency-Key gives the same export; with another body it is a conflict")
    func idempotency() async throws {
        let farm = try await Farm()
        var headers = HTTPFields()
        headers[try #require(key)] = "k1"
        let body = "{\"document\":\(Farm.draft)}"
        let first = try await farm.send(.post, "/v1/exports", body: body, headers: headers)
        let second = try await farm.send(.post, "/v1/exports", body: body, headers: headers)
        #expect(first.status == .created)
        #expect(second.status == .ok)
        #expect(try first.json(Export.self).id == second.json(Export.self).id)
        #expect(farm.wakeCount == 1)
        #expect(try await send(farm, "{\"document\":\(Farm.draft),\"priority\":1}", key: "k1").0 == .conflict)
        let elsewhere = try await farm.send(.post, "/v1/exports", as: "other", body: body, headers: headers)
        #expect(elsewhere.status == .created)
        #expect(try await send(farm, body, key: "two words").0 == .badRequest)
    }

    @Test("A submission with a priority above the tenant's cap gets 403 that names the cap, unless an operator sends it")
    func cap() async throws {
        let farm = try await Farm()
        func body(_ priority: Int) -> String { "{\"document\":\(Farm.draft),\"priority\":\(priority)}" }
        let (status, fault) = try await send(farm, body(100))
        #expect(status == .forbidden)
        #expect(fault?.code == .forbidden)
        #expect(
            fault?.detail
                == "the priority 100 is above 99, the cap of the tenant 'one'; give a priority of at most 99, "
                + "or ask an operator, whose token has the scope admin")
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
        #expect(farm.wakeCount == 0)
        let urgent = try await farm.send(.post, "/v1/exports", as: "admin", body: body(100))
        #expect(urgent.status == .created)
        #expect(try urgent.json(Export.self).priority == 100)
        #expect(try await send(farm, body(99), key: "k1").0 == .created)
        _ = try await farm.store.changeTenant("one", weight: nil, priorityCap: -5)
        #expect(try await send(farm, body(99)).0 == .forbidden)
        #expect(try await send(farm, body(99), key: "k1").0 == .ok, "it was accepted before")
        #expect(try await farm.submit().priority == -5)
    }

    @Test("A submission with a faulty draft and settings is refused with every error")
    func diagnostics() async throws {
        let farm = try await Farm()
        let hash = String(repeating: "a", count: 64)
        let body = """
            {"document":{"version":1,"mainTrackClips":[{"type":"av","url":"asset:\(hash)","sped":2},{"type":"av","url":"asset:\(hash)","id":"x"},
             {"type":"av","url":"/b.mp4","id":"x"}]},"settings":{"videoQuality":"99"}}
            """
        let (status, fault) = try await send(farm, body)
        #expect(status == .unprocessableContent)
        #expect(fault?.code == .invalid && fault?.detail.hasPrefix("the draft or its settings have ") == true)
        let faults = Set(fault?.diagnostics?.map { "\($0.path) \($0.code.rawValue)" } ?? [])
        #expect(
            faults == [
                "mainTrackClips[0].sped unknownField", "mainTrackClips[0].url missingSource",
                "mainTrackClips[1].url missingSource", "mainTrackClips[2].id duplicateID",
                "settings.videoQuality outOfRange",
            ])
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
        #expect(farm.wakeCount == 0)
    }

    @Test("A submission with an asset that only another tenant has is refused")
    func foreignAsset() async throws {
        let farm = try await Farm()
        let bytes: [UInt8] = [1, 2, 3]
        let hash = ContentHash.of(bytes)
        #expect(try await farm.send(.put, "/v1/assets/\(hash)", as: "other", bytes: bytes).status == .created)
        let body = "{\"document\":{\"version\":1,\"mainTrackClips\":[{\"type\":\"av\",\"url\":\"asset:\(hash)\"}]}}"
        #expect(try await send(farm, body).0 == .unprocessableContent)
        #expect(try await farm.send(.post, "/v1/exports", as: "other", body: body).status == .created)
    }

    @Test(
        "A submission that is malformed or has unknown fields is a bad request",
        arguments: [
            "", "{", "[]", "{}", #"{"document":{"version":1"#, #"{"dokument":{}}"#, #"{"draft":"a","document":{}}"#,
            #"{"document":{},"revision":1}"#, #"{"draft":"../a"}"#, #"{"draft":7}"#,
            "{\"document\":\(Farm.draft),\"priority\":101}", "{\"document\":\(Farm.draft),\"pool\":\"Big Ones\"}",
            "{\"document\":\(Farm.draft),\"label\":\"\"}", "{\"document\":\(Farm.draft),\"priority\":\"high\"}",
        ])
    func badRequests(_ body: String) async throws {
        let (status, fault) = try await send(try await Farm(), body)
        #expect(status == .badRequest)
        #expect(fault?.detail.isEmpty == false)
    }

    @Test(
        "A submission with a NUL character anywhere is a bad request",
        arguments: [
            #"{"document":{"version":1,"title":"a\u0000b","mainTrackClips":[{"type":"av","url":"/a.mp4"}]}}"#,
            "{\"document\":\(Farm.draft),\"label\":\"a\\u0000\"}",
            "{\"document\":\(Farm.draft),\"parameters\":{\"a\":\"\\u0000\"}}",
            "{\"document\":\(Farm.draft),\"parameters\":{\"a\\u0000\":\"\"}}",
            "{\"document\":\(Farm.draft),\"settings\":{\"preset\":\"\\u0000\"}}",
        ])
    func nulCharacters(_ body: String) async throws {
        #expect(try await send(try await Farm(), body).0 == .badRequest)
    }

    @Test("A submission with an escaped backslash before u0000 has no NUL in it")
    func noNUL() async throws {
        let document = #"{"version":1,"title":"a\\u0000b","mainTrackClips":[{"type":"av","url":"/a.mp4"}]}"#
        #expect(try await send(try await Farm(), "{\"document\":\(document)}").0 == .created)
    }

    @Test("A submission that is larger than the limit gets 413")
    func tooLarge() async throws {
        var options = FarmService.Options()
        options.documentLimit = 100
        let farm = try await Farm(options: options)
        let body = "{\"document\":\(Farm.draft),\"label\":\"\(String(repeating: "x", count: 100))\"}"
        #expect(try await send(farm, body).0 == .contentTooLarge)
    }

    @Test("A submission of a draft in the library uses the revision that was checked")
    func named() async throws {
        let farm = try await Farm()
        let template = #"{"version":1,"mainTrackClips":[{"type":"av","url":"{{clip}}"}]}"#
        #expect(try await farm.send(.put, "/v1/drafts/summer", body: template).status == .ok)
        #expect(try await farm.send(.put, "/v1/drafts/summer", body: Farm.draft).json(DraftRevision.self).revision == 2)
        let parameters = #""parameters":{"clip":"/a.mp4"}"#
        let answer = try await farm.send(.post, "/v1/exports", body: "{\"draft\":\"summer\",\"revision\":1,\(parameters)}")
        #expect(answer.status == .created)
        #expect(try answer.json(Export.self).label == "summer")
        #expect(try await farm.store.exportsToCompile(limit: 1).first?.source.document == template)
        #expect(try await send(farm, #"{"draft":"summer","revision":1}"#).0 == .unprocessableContent)
        #expect(try await send(farm, #"{"draft":"summer"}"#).0 == .created)
        #expect(try await send(farm, #"{"draft":"summer","revision":3}"#).0 == .notFound)
        #expect(try await send(farm, #"{"draft":"winter"}"#).0 == .notFound)
    }

    @Test(
        "A submission with a source that can never work is refused at the place that names it",
        arguments: [
            ("beach.mp4", "forbiddenSource"), ("../beach.mp4", "forbiddenSource"), ("/elsewhere/beach.mp4", "forbiddenSource"),
            ("/footage/../etc/passwd", "forbiddenSource"), ("file:///footage/beach.mp4", "forbiddenSource"),
            ("http://example.org/beach.mp4", "forbiddenSource"), ("https://user:word@example.org/beach.mp4", "forbiddenSource"),
        ])
    func impossibleSources(_ url: String, _ code: String) async throws {
        let farm = try await Farm(sources: SourceRule(allowedDirectories: ["/footage"]))
        let clip = { (url: String) in "{\"type\":\"av\",\"url\":\"\(url)\"}" }
        let document = "{\"version\":1,\"mainTrackClips\":[\(clip("/footage/a.mp4")),\(clip(url))]}"
        let (status, fault) = try await send(farm, "{\"document\":\(document)}")
        #expect(status == .unprocessableContent)
        #expect(fault?.diagnostics?.map { "\($0.path) \($0.code.rawValue)" } == ["mainTrackClips[1].url \(code)"])
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
    }

    @Test("A submission's settings may be texts, numbers or booleans, and are kept as equal texts")
    func settingValues() async throws {
        let farm = try await Farm()
        let numbers = #"{"videoQuality":20.0,"channels":2,"audioBitrate":1.28e5,"optimizeForNetworkUse":true}"#
        let texts = #"{"videoQuality":"20","channels":"2","audioBitrate":"128000","optimizeForNetworkUse":"true"}"#
        for settings in [numbers, texts] {
            #expect(try await send(farm, "{\"document\":\(Farm.draft),\"settings\":\(settings)}").0 == .created)
        }
        let kept = try await farm.store.exportsToCompile(limit: 2).map(\.source.settings)
        let wanted = ["videoQuality": "20", "channels": "2", "audioBitrate": "128000", "optimizeForNetworkUse": "true"]
        #expect(kept == [wanted, wanted])
    }

    @Test(
        "A setting that is neither a text nor a number nor a boolean is a bad request that names it",
        arguments: ["[20]", "{}", "null", "1e999"])
    func settingsOfOtherKinds(_ value: String) async throws {
        let body = "{\"document\":\(Farm.draft),\"settings\":{\"videoQuality\":\(value)}}"
        let (status, fault) = try await send(try await Farm(), body)
        #expect(status == .badRequest)
        #expect(fault?.detail.isEmpty == false)
    }

    @Test("A submission is answered with the export's fields and a list of warnings")
    func warnings() async throws {
        let farm = try await Farm()
        let answer = try await farm.send(.post, "/v1/exports", body: "{\"document\":\(Farm.draft)}")
        #expect(answer.status == .created)
        #expect(try answer.json(Export.self).warnings == [])
        #expect(answer.text.contains("\"warnings\":[]"))
    }
}
