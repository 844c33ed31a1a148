import ArtifactStore
import FarmAPI
import FoundationEssentials
import HTTPAPI
import HTTPTypes
import S3Store
import TestServer
import Testing

/// The requests to a bucket that are signed for workers.
@Suite("The store of workers")
struct StoreTests {
    private static let name = "tenants/1/ab/" + String(repeating: "ab", count: 32)

    /// Options of a farm with a bucket, which no test reaches.
    private func bucket() throws -> FarmService.Options {
        let settings = try S3Settings("s3://films/farm", region: "eu-central-1")
        let blobs = S3Blobs(settings, .fixed(S3Credentials(accessKey: "AKID", secretKey: "secret")))
        var options = FarmService.Options()
        options.sharedStore = SharedStore(
            StoreReport(
                address: settings.description, region: settings.region, endpoint: settings.endpoint,
                style: settings.style.rawValue),
            WorkerAccess(blobs, prefix: settings.prefix, source: settings.copySource("")))
        return options
    }

    @Test("A worker is told the bucket, and gets addresses of the requests that workers send")
    func signed() async throws {
        let farm = try await Farm(options: try bucket())
        let report = try await farm.send(.get, "/v1/store", as: "work").json(StoreReport.self)
        #expect(report.address == "s3://films/farm" && report.region == "eu-central-1" && report.style == "virtualHost")
        let body = #"{"method":"PUT","name":"\#(StoreTests.name)","headers":{"x-amz-meta-spool-upload":"mark"}}"#
        let answer = try await farm.send(.post, "/v1/store/addresses", as: "work", body: body)
        let signed = try answer.json(SignedAddress.self)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(signed.address.hasPrefix("https://films.s3.eu-central-1.amazonaws.com/farm/\(StoreTests.name)?X-Amz-Algorithm="))
        #expect(signed.address.contains("X-Amz-SignedHeaders=host%3Bx-amz-meta-spool-upload"))
        #expect(!signed.address.contains("secret"))
        #expect((500...600).contains(signed.expiresAt.timeIntervalSinceNow))
    }

    @Test("Nothing else is signed, and only for workers")
    func refused() async throws {
        let farm = try await Farm(options: try bucket())
        let get = #"{"method":"GET","name":"\#(StoreTests.name)"}"#
        for token in ["submit", "read", "both", "other"] {
            #expect(try await farm.send(.get, "/v1/store", as: token).status == .forbidden)
            #expect(try await farm.send(.post, "/v1/store/addresses", as: token, body: get).status == .forbidden)
        }
        for path in ["/v1/exports", "/v1/tokens", "/v1/assets"] {
            #expect(try await farm.send(.get, path, as: "work").status == .forbidden, "\(path)")
        }
        let forbidden = [
            #"{"method":"DELETE","name":"\#(StoreTests.name)"}"#, #"{"method":"GET","name":"other"}"#, #"{"method":"DELETE"}"#,
            #"{"method":"PUT","name":"\#(StoreTests.name)","headers":{"x-amz-copy-source":"/films/other"}}"#,
        ]
        for body in forbidden {
            let answer = try await farm.send(.post, "/v1/store/addresses", as: "work", body: body)
            #expect(answer.status == .forbidden, "\(body)")
            #expect(answer.fault?.detail == "workers do not send this request to the farm's bucket", "\(body)")
        }
        let long = String(repeating: "a", count: 3000)
        let faulty = [
            "", "{}", #"{"method":"PATCH"}"#, #"{"method":"GET","name":""}"#,
            #"{"method":"GET","name":"farm","bucket":"other"}"#,
        ]
        for body in faulty {
            #expect(try await farm.send(.post, "/v1/store/addresses", as: "work", body: body).status == .badRequest, "\(body)")
        }
        let values = "the query or the headers are not those of a request to a bucket"
        for (body, message) in [
            (#"{"method":"GET","name":"../farm"}"#, "'name' is not the name of a file"),
            (#"{"method":"GET","name":"farm","query":{"a":"\#(long)"}}"#, values),
            (#"{"method":"PUT","name":"\#(StoreTests.name)","headers":{"x-amz-meta-spool-upload":"a\r\nb: c"}}"#, values),
        ] {
            let answer = try await farm.send(.post, "/v1/store/addresses", as: "work", body: body)
            #expect(answer.status == .badRequest && answer.fault?.detail == message, "\(body): \(answer.text)")
        }
    }

    @Test("Where the store is a directory, workers are told to share it")
    func directory() async throws {
        let farm = try await Farm()
        let answer = try await farm.send(.get, "/v1/store", as: "work")
        #expect(answer.status == .conflict)
        #expect(
            answer.fault?.detail == "the farm's store is a directory; start workers with --store and its path",
            "\(answer.text)")
        let body = #"{"method":"GET","name":"farm"}"#
        #expect(try await farm.send(.post, "/v1/store/addresses", as: "work", body: body).status == .conflict)
    }
}
