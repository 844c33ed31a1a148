import ArtifactStore
import ContentHashing
import ExportPlan
import HTTPClient
import RemoteSources
import Synchronization
import Testing
import TestSupport
import FoundationEssentials

@Suite("Fetching sources", .timeLimit(.minutes(2)))
struct FetchTests {
    /// Fetches from servers of this machine alone.
    struct Setup: Sendable {
        let directory: TemporaryDirectory
        let farm: FarmDirectory
        var policy: RemotePolicy

        init() throws {
            directory = try TemporaryDirectory()
            farm = FarmDirectory(directory.path)
            try farm.marker.create()
            policy = RemotePolicy(
                addresses: AddressList(["https://*"].compactMap(AddressPattern.init)),
                networks: ["127.0.0.1/32"].compactMap { IPNetwork($0) })
            policy.firstPause = .milliseconds(5)
        }

        mutating func allow(_ address: String) throws {
            policy.addresses = AddressList([try #require(AddressPattern(address + "/"))])
        }

        func fetch(_ location: String, known: FetchedSource? = nil, tenant: String? = nil) async throws -> FetchedSource {
            let fetcher = RemoteFetcher(policy, into: try DirectoryAssets(farm))
            return try await fetcher.fetch(RemoteFetcher.Wanted(location, tenant: 7, tenantName: tenant, known: known))
        }

        func bytes(_ source: FetchedSource) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: farm.asset(source.contentHash, ofTenant: 7))))
        }

        /// Files that uploads have left behind.
        func leftovers() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: farm.uploads) }
    }

    private func failure(_ body: () async throws -> Void) async -> JobFailure? {
        await #expect(throws: JobFailure.self) { try await body() }
    }

    @Test("A source is stored by its sha256, and asked for again only where it has changed")
    func once() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            let first = try await setup.fetch("\(address)/file?a=1")
            let content = server.behaviour.withLock { $0.bytes }
            #expect(first == FetchedSource(contentHash: ContentHash.of(content), byteCount: 200_000, etag: "\"1\""))
            #expect(try setup.bytes(first) == content)
            #expect(try await setup.fetch("\(address)/file?a=1", known: first) == first)
            #expect(server.requests == ["GET /file?a=1", "GET /file?a=1 match \"1\""])
            server.set { ($0.etag, $0.bytes) = ("\"2\"", Array("new".utf8)) }
            let second = try await setup.fetch("\(address)/file?a=1", known: first)
            #expect(second.byteCount == 3 && second.etag == "\"2\"")
            #expect(second.contentHash != first.contentHash)
            // The date serves where there is no tag.
            server.set { ($0.etag, $0.lastModified) = (nil, "Wed, 21 Oct 2015 07:28:00 GMT") }
            let third = try await setup.fetch("\(address)/file", known: second)
            #expect(third.etag == nil && third.lastModified == "Wed, 21 Oct 2015 07:28:00 GMT")
            #expect(try await setup.fetch("\(address)/file", known: third) == third)
            #expect(server.requests.last == "GET /file since Wed, 21 Oct 2015 07:28:00 GMT")
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("What the store has lost is fetched, whatever is known of it")
    func lost() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            let first = try await setup.fetch("\(address)/file")
            try FileManager.default.removeItem(atPath: setup.farm.asset(first.contentHash, ofTenant: 7))
            #expect(try await setup.fetch("\(address)/file", known: first) == first)
            #expect(server.requests == ["GET /file", "GET /file"])
            #expect(try setup.bytes(first).count == 200_000)
        }
    }

    @Test("Where the connection breaks, only the rest is asked for")
    func resumed() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            server.set { $0.cuts = [60_000, 30_000] }
            let found = try await setup.fetch("\(address)/file")
            let content = server.behaviour.withLock { $0.bytes }
            #expect(found.contentHash == ContentHash.of(content))
            let requests = server.requests
            #expect(requests.count == 3, "\(requests)")
            #expect(requests.dropFirst().allSatisfy { $0.hasPrefix("GET /file range bytes=") }, "\(requests)")
            #expect(requests.dropFirst().allSatisfy { $0.hasSuffix("if \"1\"") }, "\(requests)")
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test(
        "Where the rest cannot be asked for, or is another file's, the whole source is asked for",
        arguments: ["weak tag", "no ranges", "other range", "changed"])
    func restarted(_ server: String) async throws {
        let kind = server
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            server.set { behaviour in
                behaviour.cuts = [60_000]
                switch kind {
                case "weak tag": behaviour.etag = "W/\"1\""
                case "no ranges": behaviour.servesRanges = false
                case "other range": behaviour.answersOtherRange = true
                default: break
                }
            }
            let changes = Task {
                guard kind == "changed" else { return }
                while server.requests.isEmpty { await Task.yield() }
                server.set { ($0.etag, $0.bytes) = ("\"2\"", [UInt8](repeating: 9, count: 100_000)) }
            }
            let found = try await setup.fetch("\(address)/file")
            await changes.value
            #expect(found.contentHash == ContentHash.of(server.behaviour.withLock { $0.bytes }))
            #expect(found.byteCount == (kind == "changed" ? 100_000 : 200_000))
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("A tag that cannot be sent back is forgotten, and a compressed answer is refused")
    func hostileHeaders() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            server.set { $0.etag = "\"\(String(repeating: "x", count: 600))\"" }
            let found = try await setup.fetch("\(address)/file")
            #expect(found.etag == nil && found.byteCount == 200_000)
            server.set { ($0.etag, $0.coding) = ("\"1\"", "gzip") }
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .input && error?.message == "is sent compressed, which was not asked for")
            server.set { $0.coding = "identity" }
            #expect(try await setup.fetch("\(address)/file").etag == "\"1\"")
        }
    }

    @Test("A server that is away for a moment is asked again, and one that stays away fails the job for now")
    func transient() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            server.set { $0.statuses = [500, 429] }
            #expect(try await setup.fetch("\(address)/file").byteCount == 200_000)
            server.set { $0.statuses = [502, 502, 502, 502] }
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .transient, "\(error?.description ?? "")")
            #expect(error?.message == "cannot be fetched: the server answers 502")
            #expect(server.requests.count == 3 + 3)
            server.set { $0.statuses = [] }
            server.set { $0.cuts = [1, 1, 1] }
            #expect(await failure { _ = try await setup.fetch("\(address)/file") }?.failureClass == .transient)
        }
    }

    @Test("A server that stalls is left, and fails the job for now")
    func stalled() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            (setup.policy.silence, setup.policy.tries) = (.seconds(1), 2)
            server.set { $0.stalls = true }
            let began = ContinuousClock.now
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .transient, "\(error?.description ?? "")")
            #expect(server.requests.count == 2 && began.duration(to: .now) < .seconds(60))
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("An answer that says no fails the export, with the remedy", arguments: [401, 403, 404, 410, 418])
    func refused(_ status: Int) async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            server.set { $0.statuses = [status] }
            let error = await failure { _ = try await setup.fetch("\(address)/file?sig=secret") }
            let remedy =
                switch status {
                case 401, 403: "; the operator can add credentials for this address (sourceCredentials)"
                case 404, 410: "; there is nothing at this address"
                default: ""
                }
            #expect(error?.failureClass == .input)
            #expect(error?.message == "cannot be fetched: the server answers \(status)\(remedy)")
            #expect(error?.description.contains("secret") == false && server.requests.count == 1)
        }
    }

    @Test("A source may have as many bytes as are allowed, whether its length is known or not")
    func size() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            setup.policy.byteLimit = 200_000
            #expect(try await setup.fetch("\(address)/file").byteCount == 200_000)
            setup.policy.byteLimit = 199_999
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .input)
            #expect(error?.message == "has more than the 199999 bytes that are allowed")
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("A source that takes too long fails the export")
    func time() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            setup.policy.timeLimit = .milliseconds(200)
            setup.policy.firstPause = .seconds(5)
            server.set { $0.statuses = [503, 503, 503] }
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .input, "\(error?.description ?? "")")
            #expect(error?.message == "was not fetched within 0 s")
        }
    }

    @Test("Addresses outside the list are not asked for, also by a redirect")
    func addresses() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            setup.policy.addresses = AddressList([try #require(AddressPattern(address + "/file"))])
            let outside = await failure { _ = try await setup.fetch("\(address)/other") }
            #expect(outside?.failureClass == .input && server.requests.isEmpty, "\(outside?.description ?? "")")
            server.set { $0.redirect = "/other" }
            let redirected = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(redirected?.failureClass == .input && server.requests == ["GET /file"], "\(redirected?.description ?? "")")
            server.set { $0.redirect = "/file2" }
            #expect(try await setup.fetch("\(address)/file").byteCount == 200_000)
            setup.policy.networks = []
            let forbidden = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(forbidden?.failureClass == .input)
            #expect(forbidden?.message.hasPrefix("cannot be fetched: ") == true)
            #expect(forbidden?.message.contains("is not a public address (") == true, "\(forbidden?.message ?? "")")
            #expect(server.requests.count == 3)
        }
    }

    @Test("A tenant's own list narrows the farm's")
    func tenantAddresses() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            let fetcher = RemoteFetcher(setup.policy, into: try DirectoryAssets(setup.farm))
            var wanted = RemoteFetcher.Wanted("\(address)/file", tenant: 7)
            wanted.addresses = AddressList([])
            let error = await failure { _ = try await fetcher.fetch(wanted) }
            #expect(error?.failureClass == .input && server.requests.isEmpty)
            wanted.addresses = AddressList([try #require(AddressPattern(address + "/"))])
            #expect(try await fetcher.fetch(wanted).byteCount == 200_000)
        }
    }

    @Test("Credentials go to the addresses and the tenants that they are for, and into no message")
    func credentials() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            let file = setup.directory.file("credentials.json")
            let text = """
                [{"name": "archive", "addresses": "\(address)/file", "tenants": ["news"],
                  "headers": {"Authorization": "Bearer s3cret"}, "query": {"token": "a b&c"}}]
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            setup.policy.credentials = try SourceCredentials(file: file)
            server.set { $0.wantedKey = "Bearer s3cret" }
            #expect(try await setup.fetch("\(address)/file", tenant: "news").byteCount == 200_000)
            #expect(server.requests == ["GET /file?token=a%20b%26c"])
            #expect(try await setup.fetch("\(address)/file").byteCount == 200_000, "a local export")
            let other = await failure { _ = try await setup.fetch("\(address)/file", tenant: "sports") }
            #expect(other?.message.contains("401") == true && other?.description.contains("s3cret") == false)
            let elsewhere = await failure { _ = try await setup.fetch("\(address)/elsewhere", tenant: "news") }
            #expect(elsewhere?.message.contains("401") == true)
        }
    }

    @Test("A file of credentials is refused that everybody can read, or that says something else")
    func credentialFiles() throws {
        let directory = try TemporaryDirectory()
        func fault(_ text: String, mode: Int = 0o600) throws -> String? {
            let file = directory.file("credentials.json")
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            do throws(SourceCredentials.Fault) {
                _ = try SourceCredentials(file: file)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(try fault("[]") == nil)
        #expect(try fault("[]", mode: 0o644)?.contains("chmod") == true)
        for text in [
            "{", "{}", #"[{"name": "a"}]"#, #"[{"name": "a", "addresses": "nowhere"}]"#,
            #"[{"name": "a", "addresses": "s3://bucket/"}]"#,
            #"[{"name": "a", "addresses": "https://h/", "headers": {"X": "a\nb"}}]"#,
        ] {
            #expect(try fault(text) != nil, "\(text)")
        }
        #expect(try fault("[]", mode: 0o644)?.contains("' can be read by everybody; run chmod 640 '") == true)
        #expect(
            try fault("{}")?.hasSuffix(
                "is not a list of objects with name, addresses, tenants, headers and query (docs/sources.md)") == true)
        #expect(
            try fault(#"[{"name": "a", "addresses": "nowhere"}]"#)
                == "the credentials 'a' have addresses that are no https:// or http:// pattern")
        #expect(
            try fault(#"[{"name": "a", "addresses": "https://h/", "headers": {"X": "a\nb"}}]"#)
                == "the credentials 'a' have a header with a character that headers cannot have")
        let missing = #expect(throws: SourceCredentials.Fault.self) {
            try SourceCredentials(file: directory.file("nothing"))
        }
        #expect(missing?.message == "the file of credentials '\(directory.file("nothing"))' cannot be read")
    }

    @Test(
        "Data is decoded as RFC 2397 says",
        arguments: [
            ("data:,hello%20world", "hello world"), ("data:text/plain;base64,aGVsbG8=", "hello"),
            ("data:text/plain;charset=utf-8;base64,aGVs%0AbG8%3D", "hello"), ("DATA:,", ""),
        ])
    func data(_ location: String, _ text: String) async throws {
        let setup = try Setup()
        let found = try await setup.fetch(location)
        #expect(String(decoding: try setup.bytes(found), as: UTF8.self) == text)
        #expect(found.etag == nil)
    }

    @Test(
        "Malformed data is refused", arguments: ["data:", "data:text/plain", "data:;base64,a", "data:,%4", "data:;base64,####"])
    func malformed(_ location: String) async throws {
        let setup = try Setup()
        let error = await failure { _ = try await setup.fetch(location) }
        #expect(error?.failureClass == .input)
        #expect(error?.message == "is malformed; write it as data:image/png;base64,...")
        #expect(try setup.leftovers().isEmpty)
    }

    @Test("A fetch that is cancelled ends at once, and leaves nothing behind")
    func cancelled() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            setup.policy.firstPause = .seconds(600)
            server.set { $0.statuses = [503] }
            let task = Task { [setup] in try await setup.fetch("\(address)/file") }
            while server.requests.isEmpty { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("A local export finds what it has fetched before, and removes what was not used for a month")
    func local() async throws {
        try await SourceServer.run { server, address in
            var setup = try Setup()
            try setup.allow(address)
            let root = setup.directory.file("sources")
            let path = try await LocalSources(root, setup.policy).file(of: "\(address)/file")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 200_000)
            #expect(try await LocalSources(root, setup.policy).file(of: "\(address)/file") == path)
            #expect(server.requests.last == "GET /file match \"1\"")
            let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)]
            for name in try FileManager.default.contentsOfDirectory(atPath: root + "/index") {
                try FileManager.default.setAttributes(old, ofItemAtPath: "\(root)/index/\(name)")
            }
            try FileManager.default.setAttributes(old, ofItemAtPath: path)
            _ = try LocalSources(root, setup.policy)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/index").isEmpty)
        }
    }
}
