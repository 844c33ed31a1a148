import HTTPClient
import HTTPTypes
import NIOCore
import PreviewServer
import TestServer
import TestSupport
import Testing

@Suite("Media files of the preview", .timeLimit(.minutes(2)))
struct MediaTests {
    @Test("A file that is there is sent at once, for browsers to keep")
    func there() async throws {
        let preview = try Preview()
        try preview.write("film", to: "media/a-0.m4s")
        let answer = try await preview.get("/media/a-0.m4s")
        #expect(answer.status == .ok && answer.text == "film")
        #expect(answer.headers[.contentType] == "video/mp4")
        #expect(answer.headers[.cacheControl] == "private, max-age=31536000, immutable")
        let head = try await preview.get("/media/a-0.m4s", .head)
        #expect(head.status == .ok && head.headers[.contentLength] == "4" && head.body.readableBytes == 0)
        #expect(preview.reports.isEmpty)
    }

    @Test("Requests wait for a file, the engine is asked for it once, and all get it when it is there")
    func waiting() async throws {
        let preview = try Preview()
        async let first = preview.get("/media/a-0.m4s")
        try await preview.untilWaiting(1)
        async let second = preview.get("/media/a-0.m4s")
        async let other = preview.get("/media/b-0.m4s")
        try await preview.untilWaiting(3)
        #expect(preview.reports.filter { $0.line == #"{"want":"a-0.m4s"}"# }.count == 1)
        #expect(preview.reports.count == 2)
        try preview.write("film", to: "media/a-0.m4s")
        preview.service.take(.ready(try Preview.file("a-0.m4s")))
        for answer in [try await first, try await second] { #expect(answer.status == .ok && answer.text == "film") }
        #expect(preview.service.waitingRequests == 1)
        preview.service.end()
        let ended = try await other
        #expect(ended.status == .serviceUnavailable)
        #expect(ended.text == "the preview has ended; start 'spool preview' again\n")
    }

    @Test("A file that cannot be rendered is answered with the engine's reason, and is asked for again by the next request")
    func failed() async throws {
        let preview = try Preview()
        let file = try Preview.file("a-0.m4s")
        for number in 1...2 {
            async let answer = preview.get("/media/a-0.m4s")
            try await preview.untilWaiting(1)
            preview.service.take(.failed(file, message: "'sea.mp4' cannot be decoded; export it anew"))
            let refused = try await answer
            #expect(refused.status == .badGateway && refused.text == "'sea.mp4' cannot be decoded; export it anew\n")
            #expect(preview.reports == Array(repeating: ServerReport.want(file), count: number))
        }
    }

    @Test("A file that does not come in time is answered with 504 and a time to ask again")
    func late() async throws {
        var options = PreviewService.Options()
        options.mediaWait = .milliseconds(5)
        let preview = try Preview(options)
        let answer = try await preview.get("/media/a-0.m4s")
        #expect(answer.status == .gatewayTimeout && answer.headers[.retryAfter] == "1")
        #expect(answer.text.contains("'a-0.m4s' was not rendered within ") && answer.text.hasSuffix(" s; ask for it again\n"))
        #expect(preview.service.waitingRequests == 0)
    }

    @Test(
        "No name leads out of the folder, or to a hidden file",
        arguments: [
            "..", ".", ".hidden", "..%2Fstate.json", "%2e%2e", "a%00.m4s", "a%20b", "a%C3%BC.m4s", "a\\b", "a:b", "~",
            String(repeating: "a", count: 201),
        ])
    func names(_ name: String) async throws {
        let preview = try Preview()
        try preview.write("secret", to: "state.json")
        try preview.write("secret", to: "media/.hidden")
        for folder in ["media", "stream"] {
            let answer = try await preview.get("/\(folder)/\(name)")
            #expect(answer.status == .notFound, "\(name)")
            #expect(!answer.text.contains("secret"))
            // Some of these names are changed into another address before a route has them.
            let rule = "there is no such file; names have letters, digits, '.', '_' and '-', and begin with no '.'\n"
            if name == ".hidden" { #expect(answer.text == rule) }
        }
        #expect(preview.reports.isEmpty)
    }

    @Test("A path of several parts is no file", arguments: ["/media/../state.json", "/media/a/b.m4s", "/media/", "/media"])
    func paths(_ path: String) async throws {
        let preview = try Preview()
        try preview.write("secret", to: "state.json")
        let answer = try await preview.get(path)
        #expect(answer.status == .notFound && !answer.text.contains("secret"))
    }

    @Test("Over a network a request waits as well, and a client that hangs up waits no longer")
    func network() async throws {
        var options = PreviewService.Options()
        options.mediaWait = .seconds(600)
        let preview = try Preview(options)
        try await serving(preview.service.router()) { port in
            let address = "http://127.0.0.1:\(port)/media/a-0.m4s?token=\(Preview.token)"
            let connections = Connections()
            await #expect(throws: TransferError.self) {
                try await connections.execute(OutgoingRequest("GET", address, limit: .milliseconds(300)))
            }
            try await preview.untilWaiting(0)
            #expect(preview.reports.count == 1)
            async let answer = connections.execute(OutgoingRequest("GET", address, limit: .seconds(60)))
            try await preview.untilWaiting(1)
            try preview.write("film", to: "media/a-0.m4s")
            preview.service.take(.ready(try Preview.file("a-0.m4s")))
            let response = try await answer
            #expect(response.status == 200)
            #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "film")
            // The connection that waited serves no other request; the next one is made anew.
            let again = try await connections.execute(OutgoingRequest("GET", address, limit: .seconds(60)))
            #expect(again.status == 200)
        }
    }
}
