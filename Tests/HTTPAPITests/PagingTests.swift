import FarmAPI
import HTTPTypes
import TestServer
import Testing
import FoundationEssentials

@Suite("Listings in pages")
struct PagingTests {
    /// All pages of a listing.
    private func pages<Item: Hashable & Sendable & Codable>(
        _ farm: Farm, _ path: String, as token: String = "both", of type: Item.Type
    ) async throws -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: String?
        repeat {
            let separator = path.contains("?") ? "&" : "?"
            let query = "\(separator)limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
            let answer = try await farm.send(.get, path + query, as: token)
            try #require(answer.status == .ok, "\(answer.text)")
            let listing = try answer.json(Listing<Item>.self)
            pages.append(listing.items)
            cursor = listing.next
        } while cursor != nil && pages.count < 10
        return pages
    }

    @Test("Exports come in pages, the newest first, also while others are accepted")
    func exports() async throws {
        let farm = try await Farm()
        var ids: [ExportID] = []
        for _ in 0..<5 { ids.append(try await farm.submit().id) }
        let found = try await pages(farm, "/v1/exports", of: Export.self)
        #expect(found.map(\.count) == [2, 2, 1])
        #expect(found.flatMap { $0 }.map(\.id) == ids.reversed())

        let first = try await farm.send(.get, "/v1/exports?limit=2").json(Listing<Export>.self)
        _ = try await farm.submit()
        let cursor = try #require(first.next)
        let second = try await farm.send(.get, "/v1/exports?limit=2&cursor=\(cursor)").json(Listing<Export>.self)
        #expect(second.items.map(\.id) == [ids[2], ids[1]])
    }

    @Test("A page that holds everything has no next one")
    func whole() async throws {
        let farm = try await Farm()
        for _ in 0..<2 { _ = try await farm.submit() }
        #expect(try await farm.send(.get, "/v1/exports?limit=2").json(Listing<Export>.self).next == nil)
        #expect(try await farm.send(.get, "/v1/drafts?limit=2").json(Listing<DraftRevision>.self).next == nil)
    }

    @Test("Drafts, assets, recordings, jobs, tenants and tokens come in pages")
    func others() async throws {
        let farm = try await Farm()
        for name in ["d", "b", "e", "a", "c"] {
            let answer = try await farm.send(.put, "/v1/drafts/\(name)", body: Farm.draft)
            try #require(answer.status == .ok, "\(answer.text)")
        }
        #expect(
            try await pages(farm, "/v1/drafts", of: DraftRevision.self).map { $0.map(\.name) } == [
                ["a", "b"], ["c", "d"], ["e"],
            ])

        for name in ["d", "b", "e", "a", "c"] {
            let hash = try await farm.upload(name)
            #expect(hash.utf8.count == 64)
        }
        let assets = try await pages(farm, "/v1/assets", of: Asset.self)
        #expect(assets.map(\.count) == [2, 2, 1])
        #expect(Set(assets.flatMap { $0 }.map(\.hash)).count == 5)

        for _ in 0..<3 {
            let answer = try await farm.send(.post, "/v1/recordings", body: "{}")
            try #require(answer.status == .created, "\(answer.text)")
        }
        let recordings = try await pages(farm, "/v1/recordings", of: RecordingBody.self)
        #expect(recordings.map(\.count) == [2, 1])
        #expect(Set(recordings.flatMap { $0 }.map(\.id)).count == 3)

        let export = try await farm.submit()
        try await farm.plan(export)
        let jobs = try await pages(farm, "/v1/jobs", of: Job.self).flatMap { $0 }.map(\.id)
        #expect(jobs.count >= 2 && jobs == jobs.sorted() && Set(jobs).count == jobs.count)

        #expect(
            try await pages(farm, "/v1/tenants", as: "admin", of: Tenant.self).map { $0.map(\.name) } == [
                ["one", "operator"], ["two"],
            ])
        #expect(try await pages(farm, "/v1/tokens", as: "admin", of: Token.self).map(\.count) == [2, 2, 2])
    }

    @Test("The revisions of a draft come in pages, the newest first, and only to their tenant")
    func revisions() async throws {
        let farm = try await Farm()
        for number in 1...5 {
            let draft = Farm.draft.replacing("clip", with: "clip\(number)")
            try #require(try await farm.send(.put, "/v1/drafts/team", body: draft).status == .ok)
        }
        let submitted = try await farm.send(.post, "/v1/exports", body: #"{"draft":"team","revision":4}"#)
        let export = try submitted.json(Export.self)
        let found = try await pages(farm, "/v1/drafts/team/revisions", of: DraftRevisionReport.self)
        #expect(found.map { $0.map(\.revision) } == [[5, 4], [3, 2], [1]])
        #expect(found[0][1].newestExports == [export.id] && found[0][1].exportCount == 1 && found[0][0].exportCount == 0)
        for (token, status) in [("other", HTTPResponse.Status.notFound), ("admin", .notFound), ("submit", .forbidden)] {
            #expect(try await farm.send(.get, "/v1/drafts/team/revisions", as: token).status == status)
        }
        #expect(try await farm.send(.get, "/v1/drafts/nobody/revisions").fault?.detail == "there is no draft 'nobody'")
        #expect(try await farm.send(.get, "/v1/drafts/team/revisions?cursor=bm8gbnVtYmVy").status == .badRequest)
    }

    @Test("A cursor that no listing gave is refused", arguments: ["x", "", "MTIz!", "AAAA", "bm8gbnVtYmVy", "LTEgeA", "////"])
    func damaged(_ cursor: String) async throws {
        let farm = try await Farm()
        for path in ["exports", "jobs", "assets", "recordings"] {
            let answer = try await farm.send(.get, "/v1/\(path)?cursor=\(cursor)")
            #expect(answer.status == .badRequest)
            #expect(answer.fault?.detail.contains("cursor") == true)
        }
    }
}
