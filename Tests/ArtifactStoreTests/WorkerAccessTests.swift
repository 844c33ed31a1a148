import ArtifactStore
import TestSupport
import Testing

/// The requests that a coordinator signs for workers without keys, and those that it refuses.
@Suite("The access of workers")
struct WorkerAccessTests {
    private let access: WorkerAccess
    private static let hash = String(repeating: "ab", count: 32)
    private static let artifact = "tenants/7/ab/\(hash)"
    private static let asset = "assets/7/ab/\(hash)"
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        access = WorkerAccess(DirectoryBlobs(FarmDirectory(folder.file("store"))), prefix: "films/", source: "/bucket/films/")
    }

    private func request(
        _ method: String, _ name: String?, _ query: [String: String] = [:], headers: [String: String] = [:]
    ) throws -> BlobRequest {
        BlobRequest(method, try name.map { try #require(BlobName($0)) }, query: query, headers: headers)
    }

    @Test("Workers read the farm's files, and store artifacts with their records and assets")
    func allowed() throws {
        let artifact = WorkerAccessTests.artifact
        let files = [artifact, artifact + ".sum", artifact + ".film", WorkerAccessTests.asset]
        let part = ["uploadId": "1", "partNumber": "2"]
        for name in files + ["farm"] {
            for method in ["GET", "HEAD"] { #expect(access.allows(try request(method, name)), "\(method) \(name)") }
        }
        for name in files {
            #expect(access.allows(try request("PUT", name, headers: ["x-amz-meta-spool-upload": "mark"])))
            #expect(access.allows(try request("PUT", name, part)))
            #expect(access.allows(try request("POST", name, ["uploads": ""], headers: ["x-amz-meta-spool-upload": "mark"])))
            #expect(access.allows(try request("POST", name, ["uploadId": "1"])))
            #expect(access.allows(try request("DELETE", name, ["uploadId": "1"])))
        }
        #expect(access.allows(try request("DELETE", WorkerAccessTests.artifact + ".sum")), "the record of a damaged artifact")
        #expect(access.allows(try request("GET", nil, ["list-type": "2", "max-keys": "1", "prefix": "films/"])))
    }

    @Test("A part of an artifact may be bytes of another one of the same tenant, and of nothing else")
    func copies() throws {
        let (hash, artifact) = (WorkerAccessTests.hash, WorkerAccessTests.artifact)
        let part = ["uploadId": "1", "partNumber": "2"]
        func copy(
            _ source: String, to name: String = artifact, _ query: [String: String] = part, method: String = "PUT",
            adding more: [String: String] = [:]
        ) throws -> Bool {
            let headers = [
                "x-amz-copy-source": source, "x-amz-copy-source-if-match": "\"1\"", "x-amz-copy-source-range": "bytes=0-9",
            ]
            return access.allows(try request(method, name, query, headers: headers.merging(more) { $1 }))
        }
        let source = "/bucket/films/tenants/7/ab/\(hash)"
        #expect(try copy(source))
        for other in [
            "/bucket/films/tenants/8/ab/\(hash)", "/bucket/tenants/7/ab/\(hash)", "/other/films/tenants/7/ab/\(hash)",
            "/bucket/films/assets/7/ab/\(hash)", source + ".sum", source + ".film", source + "?versionId=1", "/bucket/films/farm",
            "/bucket/films/", "/bucket/films/tenants/7/ab/../../8/ab/\(hash)", "", "bucket/films/tenants/7/ab/\(hash)",
        ] {
            #expect(try !copy(other), "\(other)")
        }
        for name in [artifact + ".sum", artifact + ".film", WorkerAccessTests.asset, "farm", "other"] {
            #expect(try !copy(source, to: name), "\(name)")
        }
        #expect(try !copy(source, [:]))
        #expect(try !copy(source, ["uploadId": "1"]))
        for method in ["GET", "POST", "DELETE"] { #expect(try !copy(source, method: method)) }
        #expect(try !copy(source, adding: ["x-amz-acl": "public-read"]))
        let whole = ["x-amz-copy-source": source]
        #expect(access.allows(try request("PUT", artifact, part, headers: whole)) == false, "another version may be copied")
    }

    @Test("Nothing else is signed for them")
    func refused() throws {
        let hash = WorkerAccessTests.hash
        var requests = [
            try request("DELETE", WorkerAccessTests.artifact), try request("DELETE", WorkerAccessTests.asset),
            try request("DELETE", "farm"), try request("PUT", "farm"), try request("POST", "farm", ["uploads": ""]),
            // A copy reads any object, and an access list opens one to everybody.
            try request("PUT", WorkerAccessTests.artifact, headers: ["x-amz-copy-source": "/films/other"]),
            try request("PUT", WorkerAccessTests.artifact, headers: ["x-amz-acl": "public-read"]),
            try request("PUT", WorkerAccessTests.artifact, ["acl": ""]),
            try request("GET", WorkerAccessTests.artifact, ["acl": ""]),
            try request("POST", WorkerAccessTests.artifact), try request("PATCH", WorkerAccessTests.artifact),
            try request("PUT", WorkerAccessTests.artifact, ["partNumber": "1"]),
            // The bucket.
            try request("GET", nil), try request("DELETE", nil), try request("PUT", nil),
            try request("POST", nil, ["delete": ""]),
            try request("GET", nil, ["list-type": "2", "max-keys": "1000", "prefix": "films/"]),
            try request("GET", nil, ["list-type": "2", "max-keys": "1", "prefix": ""]),
            try request("GET", nil, ["uploads": "", "prefix": "films/"]),
        ]
        let names = [
            "other", "tenants/7/\(hash)", "tenants/7/ba/\(hash)", "tenants/x/ab/\(hash)",
            "tenants//ab/\(hash)".replacing("//", with: "/"),
            "tenants/7/ab/\(hash)0", "tenants/7/ab/\(hash.uppercased())", "assets/7/ab/\(hash).sum", "films/7/ab/\(hash)",
            "tenants/7/ab/\(hash)/more", "tenants/7/ab/\(hash).sum.sum", "tenants/7/ab/\(hash).film.sum",
            "assets/7/ab/\(hash).film",
        ]
        for name in names {
            for method in ["GET", "PUT"] { requests.append(try request(method, name)) }
        }
        for request in requests { #expect(!access.allows(request), "\(request)") }
    }

    @Test("A directory has no addresses")
    func directory() async throws {
        #expect(try await access.address(of: try request("GET", "farm")) == nil)
    }
}
