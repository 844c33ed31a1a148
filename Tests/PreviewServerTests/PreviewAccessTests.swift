import HTTPTypes
import NIOCore
import PreviewServer
import TestServer
import Testing

@Suite("Access to the preview")
struct PreviewAccessTests {
    static let addresses = [
        "/", "/preview.js", "/preview.css", "/state", "/waveform", "/ready", "/media/a.m4s", "/stream/main.m3u8", "/nothing",
    ]

    @Test("Without the token every address is refused, with words that say what to do", arguments: addresses)
    func withoutToken(_ path: String) async throws {
        let preview = try Preview()
        try preview.write("x", to: "media/a.m4s")
        for query in ["", "?token=", "?token=0123456789abcdef-secreT", "?token=0123456789abcdef-secret1", "?other=1"] {
            let answer = try await preview.send(.get, path + query)
            #expect(answer.status == .unauthorized, "\(path)\(query)")
            #expect(answer.text.hasPrefix("open the address that 'spool preview' printed"))
            #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(answer.headers[.setCookie] == nil)
        }
        #expect(preview.reports.isEmpty)
    }

    @Test("Events and places are refused without the token")
    func otherRoutes() async throws {
        let preview = try Preview()
        #expect(try await preview.send(.get, "/events").status == .unauthorized)
        let place = try await preview.send(.post, "/playhead", body: #"{"time":1,"playing":true}"#)
        #expect(place.status == .unauthorized && preview.reports.isEmpty)
    }

    @Test("The address with the token sets a cookie that scripts cannot read, and leads to the page without the token")
    func cookie() async throws {
        let preview = try Preview()
        let answer = try await preview.send(.get, "/?token=\(Preview.token)")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/")
        let field = try #require(answer.headers[.setCookie])
        #expect(field.hasPrefix("spool-preview-"))
        #expect(field.hasSuffix("=\(Preview.token); Path=/; HttpOnly; SameSite=Strict"))
        let page = try await preview.send(.get, "/", headers: [.cookie: "theme=dark; \(try await preview.cookie())"])
        #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test("Previews with other tokens have cookies of other names, so that two can be open at a time")
    func twoPreviews() async throws {
        let first = try await Preview().cookie()
        let other = PreviewService(
            directory: "/nonexistent", token: try #require(PreviewToken("another-token-of-a-preview")), report: { _ in })
        let answer = try await Answer(
            of: other.router(), to: .get, "/?token=another-token-of-a-preview", host: "localhost:1")
        let second = try #require(answer.headers[.setCookie])
        #expect(first.prefix { $0 != "=" } != second.prefix { $0 != "=" })
    }

    @Test("A wrong cookie opens nothing", arguments: ["", "0123456789abcdef", "0123456789abcdef-secret0"])
    func wrongCookie(_ value: String) async throws {
        let preview = try Preview()
        let name = try await preview.cookie().prefix { $0 != "=" }
        let answer = try await preview.send(.get, "/state", headers: [.cookie: "\(name)=\(value)"])
        #expect(answer.status == .unauthorized)
        #expect(
            answer.text
                == "open the address that 'spool preview' printed: it has the token, which changes with each start\n")
    }

    @Test(
        "The server answers under names of this machine, with any port",
        arguments: ["127.0.0.1", "127.0.0.1:80", "localhost:9000", "LOCALHOST", "[::1]", "[::1]:65535"])
    func ownHosts(_ host: String) async throws {
        let answer = try await Preview().send(.get, "/preview.css?token=\(Preview.token)", host: host)
        #expect(answer.status == .ok)
    }

    @Test(
        "A request under another name is refused, also with the token",
        arguments: [
            "", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1:80:80",
            "127.0.0.1:x", "[::1", "[::1]x", "[::2]", "0.0.0.0", "127.0.0.2", "192.168.1.4", "user@127.0.0.1", "::1",
        ])
    func otherHosts(_ host: String) async throws {
        let preview = try Preview()
        let answer = try await preview.send(.get, "/?token=\(Preview.token)", host: host)
        #expect(answer.status == .forbidden, "\(host)")
        #expect(answer.text.contains("127.0.0.1, localhost and [::1]") && answer.headers[.setCookie] == nil)
    }

    @Test("A server that listens elsewhere answers under that address as well")
    func listeningElsewhere() async throws {
        func status(_ listening: String, _ asked: String) async throws -> Int {
            var options = PreviewService.Options()
            options.host = listening
            return try await Preview(options).send(.get, "/preview.css?token=\(Preview.token)", host: asked).status.code
        }
        #expect(try await status("192.168.1.4", "192.168.1.4:80") == 200)
        #expect(try await status("192.168.1.4", "192.168.1.5:80") == 403)
        #expect(try await status("fd00::1", "[fd00::1]:80") == 200)
        for any in ["0.0.0.0", "::"] {
            for address in ["192.168.1.5", "10.0.0.1:80", "[fd00::1]:80", "localhost"] {
                #expect(try await status(any, address) == 200, "\(address)")
            }
            for name in ["evil.example", "1.2.3", "[evil]", "256.1.1.1"] {
                #expect(try await status(any, name) == 403, "\(name)")
            }
        }
    }

    @Test("A page of another site reads nothing and sends nothing, but a link may lead to the preview")
    func otherSites() async throws {
        let preview = try Preview()
        try preview.write("{}", to: "state.json")
        let cookie = try await preview.cookie()
        let site = HTTPField.Name.named("Sec-Fetch-Site")
        let mode = HTTPField.Name.named("Sec-Fetch-Mode")
        let destination = HTTPField.Name.named("Sec-Fetch-Dest")
        func status(_ path: String, _ headers: HTTPFields, body: String? = nil) async throws -> Int {
            var headers = headers
            headers[.cookie] = cookie
            return try await preview.send(body == nil ? .get : .post, path, headers: headers, body: body).status.code
        }
        for other in ["cross-site", "same-site"] {
            #expect(try await status("/state", [site: other, mode: "cors", destination: "empty"]) == 403)
            #expect(try await status("/", [site: other, mode: "navigate", destination: "iframe"]) == 403)
            #expect(try await status("/", [site: other, mode: "navigate", destination: "document"]) == 200)
        }
        let refused = try await preview.send(.get, "/state", headers: [.cookie: cookie, site: "cross-site"])
        #expect(refused.text == "a page of another site made this request, so it is refused\n")
        #expect(try await status("/state", [site: "same-origin"]) == 200)
        let place = #"{"time":1,"playing":false}"#
        for headers: HTTPFields in [
            [site: "cross-site"], [site: "same-site"], [.origin: "null"], [.origin: "http://evil.example"],
            [.origin: "http://127.0.0.1:4001"], [site: "same-site", .origin: "http://127.0.0.1:4000"],
        ] {
            #expect(try await status("/playhead", headers, body: place) == 403, "\(headers)")
        }
        #expect(preview.reports.isEmpty)
        for headers: HTTPFields in [[:], [site: "same-origin", .origin: "http://127.0.0.1:4000"]] {
            #expect(try await status("/playhead", headers, body: place) == 204)
        }
        #expect(preview.reports.count == 2)
    }

    @Test("Every answer forbids other hosts, frames and guesses of its type, and only media files are kept", arguments: addresses)
    func headers(_ path: String) async throws {
        let preview = try Preview()
        try preview.write("x", to: "media/a.m4s")
        for method in [HTTPRequest.Method.get, .head] {
            let answer = try await preview.get(path, method)
            let policy = try #require(answer.headers[.named("Content-Security-Policy")])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
            #expect(policy.contains("media-src 'self' blob:") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
            #expect(answer.headers[.named("X-Content-Type-Options")] == "nosniff")
            #expect(answer.headers[.named("X-Frame-Options")] == "DENY")
            #expect((answer.headers[.cacheControl] == "no-store") == !path.hasPrefix("/media/"), "\(path)")
            if method == .head { #expect(answer.body.readableBytes == 0) }
        }
    }

    @Test("A token is 16 to 200 characters that addresses and cookies take as they are")
    func tokens() {
        for good in ["0123456789abcdef", "a.b_c-D.E_F-0.1_2", String(repeating: "x", count: 200)] {
            #expect(PreviewToken(good) != nil)
        }
        let long = String(repeating: "x", count: 201)
        for bad in ["", "short", "0123456789abcde f", "0123456789abcdef;", "0123456789abcdé", long] {
            #expect(PreviewToken(bad) == nil, "\(bad)")
        }
    }
}
