import Coordinator
import ExportPlan
import FarmAPI
import HTTPTypes
import JobQueue
import TestServer
import Testing
import FoundationEssentials

@Suite("What clients remove and change")
struct RemovalTests {
    @Test("A removed draft is gone from the library, and exports of it stay")
    func draft() async throws {
        let farm = try await Farm()
        _ = try await farm.send(.put, "/v1/drafts/intro", body: Farm.draft)
        let answer = try await farm.send(.post, "/v1/exports", body: #"{"draft":"intro"}"#)
        let export = try answer.json(Export.self)
        #expect(try await farm.send(.delete, "/v1/drafts/intro", as: "other").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/drafts/intro", as: "read").status == .forbidden)
        #expect(try await farm.send(.delete, "/v1/drafts/intro").status == .noContent)
        #expect(try await farm.send(.get, "/v1/drafts/intro").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/drafts/intro").status == .notFound)
        #expect(try await farm.send(.post, "/v1/exports", body: #"{"draft":"intro"}"#).status == .notFound)
        #expect(try await farm.store.source(of: export.id)?.document == Farm.draft)
        let again = try await farm.send(.put, "/v1/drafts/intro", body: Farm.draft).json(DraftRevision.self)
        #expect(again.revision == 1)
    }

    @Test("A draft is changed only while it is what the client believes")
    func conditions() async throws {
        let farm = try await Farm()
        let other = Farm.draft.replacing("clip.mp4", with: "other.mp4")
        let absent = try await farm.send(.put, "/v1/drafts/a", body: Farm.draft, headers: [.ifMatch: "\"x\""])
        #expect(absent.status == .preconditionFailed)
        #expect(absent.fault?.detail == "the draft 'a' is not what the request expects: there is none")
        #expect(try await farm.send(.get, "/v1/drafts/a").status == .notFound)
        let first = try await farm.send(.put, "/v1/drafts/a", body: Farm.draft, headers: [.ifNoneMatch: "*"])
        #expect(first.status == .ok)
        let tag = try #require(first.headers[.eTag])
        #expect(try await farm.send(.get, "/v1/drafts/a").headers[.eTag] == tag)
        #expect(try await farm.send(.get, "/v1/drafts/a", headers: [.ifNoneMatch: tag]).status == .notModified)
        let refused = try await farm.send(.put, "/v1/drafts/a", body: other, headers: [.ifNoneMatch: "*"])
        #expect(refused.status == .preconditionFailed)
        #expect(refused.headers[.eTag] == tag)
        let hash = tag.dropFirst().dropLast()
        #expect(
            refused.fault?.detail
                == "the draft 'a' is not what the request expects: its newest revision has the ETag \"\(hash)\"")
        let second = try await farm.send(.put, "/v1/drafts/a", body: other, headers: [.ifMatch: tag])
        #expect(second.status == .ok && second.headers[.eTag] != tag)
        #expect(
            try await farm.send(.put, "/v1/drafts/a", body: Farm.draft, headers: [.ifMatch: tag]).status == .preconditionFailed)
        #expect(try await farm.send(.delete, "/v1/drafts/a", headers: [.ifMatch: tag]).status == .preconditionFailed)
        #expect(try await farm.send(.get, "/v1/drafts/a").text == other)
        #expect(
            try await farm.send(.delete, "/v1/drafts/a", headers: [.ifMatch: second.headers[.eTag] ?? ""]).status == .noContent)
    }

    @Test("An asset stays while a draft of the library or an export that is not over needs it")
    func asset() async throws {
        let farm = try await Farm()
        let hash = try await farm.upload("picture")
        let draft = #"{"version":1,"mainTrackClips":[{"type":"av","url":"asset:\#(hash)"}]}"#
        _ = try await farm.send(.put, "/v1/drafts/a", body: draft)
        #expect(try await farm.send(.delete, "/v1/assets/\(hash)", as: "other").status == .notFound)
        let refused = try await farm.send(.delete, "/v1/assets/\(hash)")
        #expect(refused.status == .conflict)
        #expect(
            refused.fault?.detail
                == "the asset '\(hash)' is needed by an export that is not over, a draft of the library or a recording; "
                + "remove that first")
        _ = try await farm.send(.delete, "/v1/drafts/a")
        let export = try await farm.submit(draft)
        #expect(try await farm.send(.delete, "/v1/assets/\(hash)").status == .conflict)
        _ = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        #expect(try await farm.send(.delete, "/v1/assets/\(hash)").status == .noContent)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/assets/\(hash)").status == .notFound)
        // It can be uploaded again.
        #expect(try await farm.upload("picture") == hash)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .ok)
    }

    @Test("An export is removed once it is over, and only by its tenant")
    func export() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let refused = try await farm.send(.delete, "/v1/exports/\(export.id)")
        #expect(refused.status == .conflict)
        #expect(refused.fault?.detail.contains("cancel it first") == true)
        _ = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        #expect(try await farm.send(.delete, "/v1/exports/\(export.id)", as: "other").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/exports/\(export.id)").status == .noContent)
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)").status == .notFound)
        #expect(try await farm.send(.get, "/v1/exports").json(Listing<Export>.self).items.isEmpty)
        #expect(try await farm.send(.delete, "/v1/exports/\(export.id)").status == .notFound)
    }

    @Test("A priority is changed up to the tenant's cap, and by an operator beyond it, until the export is over")
    func priority() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let before = farm.wakeCount
        func change(_ body: String, as token: String = "both") async throws -> Answer {
            try await farm.send(.patch, "/v1/exports/\(export.id)", as: token, body: body)
        }
        #expect(try await change(#"{"priority":50}"#).json(Export.self).priority == 50)
        #expect(farm.wakeCount == before + 1)
        #expect(try await change(#"{"priority":100}"#).status == .forbidden)
        #expect(try await change(#"{"priority":100}"#, as: "admin").json(Export.self).priority == 100)
        #expect(try await change(#"{"priority":1}"#, as: "other").status == .notFound)
        for body in [#"{"priority":101}"#, "{}", #"{"priority":"1"}"#, #"{"priority":1,"pool":"x"}"#, ""] {
            #expect(try await change(body).status == .badRequest)
        }
        _ = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        #expect(try await change(#"{"priority":1}"#).status == .conflict)
    }

    @Test("Many exports are cancelled at once, and what cannot be is said of each")
    func cancelMany() async throws {
        let farm = try await Farm()
        let (first, second) = (try await farm.submit(), try await farm.submit())
        let foreign = try await farm.submit(as: "other")
        _ = try await farm.send(.post, "/v1/exports/\(second.id)/cancel")
        let ids = [first.id, second.id, foreign.id].map { "\"\($0)\"" }.joined(separator: ",")
        let outcome = try await farm.send(.post, "/v1/exports/cancel", body: "{\"exports\":[\(ids)]}").json(SelectionOutcome.self)
        #expect(outcome.items.map(\.state) == [.cancelled, .cancelled, nil])
        #expect(outcome.items.map { $0.fault != nil } == [false, true, true])
        #expect(try await farm.store.export(foreign.id, tenant: nil)?.state == .submitted)
        for body in [#"{"exports":[]}"#, #"{"exports":["x"]}"#, "{}"] {
            #expect(try await farm.send(.post, "/v1/exports/cancel", body: body).status == .badRequest)
        }
    }

    @Test("A failed export goes on when many are retried; others stay as they are")
    func retryMany() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        let ticket = try await farm.take(export)
        _ = try await farm.store.fail(
            export.id, ExportFailure(.input, message: "the source is damaged", job: ticket.job))
        let other = try await farm.submit()
        let ids = [export.id, other.id].map { "\"\($0)\"" }.joined(separator: ",")
        let outcome = try await farm.send(.post, "/v1/exports/retry", body: "{\"exports\":[\(ids)]}").json(SelectionOutcome.self)
        #expect(outcome.items[1].state == .submitted && outcome.items[1].fault != nil)
        // No job of the first has failed: it was cancelled with its export.
        #expect(outcome.items[0].fault?.contains("no job of the export has failed") == true)
    }
}
