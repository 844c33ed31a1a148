import ContentHashing
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import TestSupport
import Testing

/// Limits on the form of a request: its address, its header fields and its body.
extension LimitTests {
    @Test("One byte of address, one header field or one header byte too many is refused, and the limit itself accepted")
    func form() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.addressBytes = 100
            limits.headerCount = 10
            limits.headerFieldBytes = 200
        }
        try await serve(change) { _, port in
            let path = "/v1/" + String(repeating: "a", count: 96)
            // The request has the fields Host and Authorization already.
            let fields = (0..<8).map { "X-\($0): 1\r\n" }.joined()
            let cases = [
                (request("GET", path), "404"), (request("GET", path + "a"), "414"), (request("GET", "/healthz", fields), "200"),
                (request("GET", "/healthz", fields + "Y: 1\r\n"), "431"), (request("GET", "/healthz", field("Z", 200)), "200"),
                (request("GET", "/healthz", field("Z", 201)), "431"), ("this is not HTTP\r\n\r\n", "400"),
            ]
            for (text, wanted) in cases { try await expect(wanted, text, port) }
            for (text, message) in [
                (request("GET", path + "a"), "an address has at most 100 bytes here"),
                ("this is not HTTP\r\n\r\n", "this is not an HTTP request: "),
            ] {
                let connection = try RawConnection(port: port)
                connection.send(text)
                let answer = await connection.received(until: "}")
                #expect(answer.contains(message), "\(answer)")
            }
        }
    }

    @Test("One byte too many in all header fields with the address is refused, and the limit itself accepted")
    func headerBytes() async throws {
        // The address, the names and the values count, and not what separates them.
        let own = ["/healthz", "Host", "localhost", "Authorization", "Bearer b-1"].reduce(0) { $0 + $1.utf8.count }
        let limit = 2000
        try await serve({ $0.headerBytes = limit }) { _, port in
            let rest = limit - own - "A".utf8.count - 900 - "B".utf8.count
            try await expect("200", request("GET", "/healthz", field("A", 900) + field("B", rest)), port)
            try await expect("431", request("GET", "/healthz", field("A", 900) + field("B", rest + 1)), port)
        }
    }

    /// A header field whose value has this many bytes.
    private func field(_ name: String, _ byteCount: Int) -> String {
        "\(name): \(String(repeating: "z", count: byteCount))\r\n"
    }

    private func expect(_ wanted: String, _ text: String, _ port: Int) async throws {
        let connection = try RawConnection(port: port)
        connection.send(text)
        let answer = await connection.received(until: "}")
        #expect(status(answer) == wanted, "\(text)")
        #expect(wanted == "200" || answer.contains("{\"code\":"))
    }

    /// Sends a body with its length, or in one chunk, and compares the status of the answer.
    private func expect(
        _ wanted: String, _ method: String, _ path: String, _ body: String, isChunked: Bool, _ port: Int
    ) async throws {
        let connection = try RawConnection(port: port)
        let close = "Connection: close\r\n"
        if isChunked {
            let chunk = "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            connection.send(request(method, path, close + "Transfer-Encoding: chunked\r\n") + chunk)
        } else {
            connection.send(request(method, path, close, length: body.utf8.count) + body)
        }
        let answer = await connection.received(until: "}")
        #expect(status(answer) == wanted, "\(method) \(path) with \(body.utf8.count) bytes: \(answer)")
    }

    @Test("A document of one byte too many is refused, whether its length is given or not", arguments: [false, true])
    func bodyBytes(_ isChunked: Bool) async throws {
        var options = Farm.quickOptions
        options.documentLimit = 1000
        let documents = [
            ("POST", "/v1/exports", "{\"document\":\(Farm.draft),\"label\":\"x\"}", "201"),
            ("PUT", "/v1/drafts/summer", Farm.draft, "200"), ("POST", "/v1/recordings", "{}", "201"),
        ]
        try await serve(options) { _, port in
            for (method, path, body, accepted) in documents {
                let padded = body + String(repeating: " ", count: 1000 - body.utf8.count)
                try await expect(accepted, method, path, padded, isChunked: isChunked, port)
                try await expect("413", method, path, padded + " ", isChunked: isChunked, port)
            }
        }
    }

    @Test("Another JSON body of more than 1 MiB is refused, and one of 1 MiB accepted")
    func otherBodyBytes() async throws {
        let farm = try await Farm()
        let bodies = [
            ("/v1/tenants", #"{"name":"three"}"#), ("/v1/tokens", #"{"tenant":"one","name":"x","scopes":["read"]}"#),
        ]
        for (path, body) in bodies {
            let padded = body + String(repeating: " ", count: FarmService.bodyLimit - body.utf8.count)
            let refused = try await farm.send(.post, path, as: "admin", body: padded + " ")
            #expect(refused.status == .contentTooLarge && refused.fault?.code == .tooLarge, "\(path)")
            #expect(try await farm.send(.post, path, as: "admin", body: padded).status == .created, "\(path)")
        }
    }

    @Test("An upload of one byte too many is refused, whether its length is given or not", arguments: [false, true])
    func assetBytes(_ isChunked: Bool) async throws {
        var options = Farm.quickOptions
        options.assetLimit = 1000
        try await serve(options) { farm, port in
            let bytes = String(repeating: "b", count: 1000)
            func address(_ text: String) -> String { "/v1/assets/\(ContentHash.of(text.utf8))" }
            try await expect("201", "PUT", address(bytes), bytes, isChunked: isChunked, port)
            try await expect("413", "PUT", address(bytes + "b"), bytes + "b", isChunked: isChunked, port)
            let made = try await farm.send(.post, "/v1/recordings", body: "{}")
            let clips = try #require(made.headers[.location]) + "/clips"
            try await expect("413", "POST", clips, bytes + "b", isChunked: isChunked, port)
            try await expect("201", "POST", clips, bytes, isChunked: isChunked, port)
        }
    }
}
