import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing
import TestServer

/// A server of this machine whose file behaves as a test says.
final class SourceServer: Sendable {
    /// The file and the server's behaviour.
    struct Behaviour: Sendable {
        var bytes = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var etag: String? = "\"1\""
        var lastModified: String?
        var servesRanges = true
        /// After how many bytes of an answer the connection is cut; the first entries are used up first.
        var cuts: [Int] = []
        /// Statuses that are answered instead, one after the other.
        var statuses: [Int] = []
        /// Statuses that are answered to requests for a part, one after the other.
        var rangeStatuses: [Int] = []
        /// Where a request for the file is redirected to.
        var redirect: String?
        /// The header that a request must have.
        var wantedKey: String?
        /// Whether the server goes on for ever with a byte every now and then, after the first part.
        var stalls = false
        /// What the answer says of its coding.
        var coding: String?
        /// Whether the answer to a range has other bytes than were asked for.
        var answersOtherRange = false
    }

    let behaviour = Mutex(Behaviour())
    private let log = Mutex<[String]>([])

    /// The requests so far, as `GET /file range bytes=5- match "1"`.
    var requests: [String] { log.withLock { $0 } }

    /// Runs work beside the server.
    static func run(_ work: @escaping @Sendable (_ server: SourceServer, _ address: String) async throws -> Void) async throws {
        let server = SourceServer()
        let router = Router()
        router.get("/**") { request, _ in try server.answer(request) }
        try await serving(router) { port in try await work(server, "http://127.0.0.1:\(port)") }
    }

    func set(_ change: @Sendable (inout Behaviour) -> Void) { behaviour.withLock { change(&$0) } }

    private func answer(_ request: Request) throws -> Response {
        var words = ["GET", request.uri.string]
        if let range = request.headers[.range] { words.append("range \(range) if \(request.headers[.ifRange] ?? "nothing")") }
        if let match = request.headers[.ifNoneMatch] { words.append("match \(match)") }
        if let since = request.headers[.ifModifiedSince] { words.append("since \(since)") }
        log.withLock { $0.append(words.joined(separator: " ")) }
        return behaviour.withLock { behaviour in
            if !behaviour.statuses.isEmpty { return Response(status: .init(code: behaviour.statuses.removeFirst())) }
            if request.headers[.range] != nil, !behaviour.rangeStatuses.isEmpty {
                return Response(status: .init(code: behaviour.rangeStatuses.removeFirst()))
            }
            if let key = behaviour.wantedKey, request.headers[.authorization] != key { return Response(status: .unauthorized) }
            if let place = behaviour.redirect, request.uri.path == "/file" {
                return Response(status: .found, headers: [.location: place])
            }
            return SourceServer.file(&behaviour, request)
        }
    }

    private static func file(_ behaviour: inout Behaviour, _ request: Request) -> Response {
        var headers: HTTPFields = [:]
        headers[.eTag] = behaviour.etag
        headers[.lastModified] = behaviour.lastModified
        headers[.contentEncoding] = behaviour.coding
        if behaviour.servesRanges { headers[.acceptRanges] = "bytes" }
        if let match = request.headers[.ifNoneMatch], match == behaviour.etag {
            return Response(status: .notModified, headers: headers)
        }
        if request.headers[.ifNoneMatch] == nil, let since = request.headers[.ifModifiedSince], since == behaviour.lastModified {
            return Response(status: .notModified, headers: headers)
        }
        var start = 0
        let condition = request.headers[.ifRange]
        if behaviour.servesRanges, let range = request.headers[.range],
            condition == behaviour.etag || condition == behaviour.lastModified
        {
            start = Int(range.dropFirst(6).prefix { $0 != "-" }) ?? 0
            if behaviour.answersOtherRange { start += 1 }
            headers[.contentRange] = "bytes \(start)-\(behaviour.bytes.count - 1)/\(behaviour.bytes.count)"
        }
        let rest = Array(behaviour.bytes[start...])
        headers[.contentLength] = "\(rest.count)"
        let stalls = behaviour.stalls
        let cut = behaviour.cuts.isEmpty ? nil : behaviour.cuts.removeFirst()
        let body = ResponseBody(contentLength: rest.count) { writer in
            for part in stride(from: 0, to: cut ?? rest.count, by: 10_000) {
                try await writer.write(ByteBuffer(bytes: rest[part..<min(part + 10_000, cut ?? rest.count)]))
                while stalls {
                    try await Task.sleep(for: .milliseconds(200))  // the client hangs up, which ends the writing
                    try await writer.write(ByteBuffer(bytes: [0]))
                }
            }
            if cut != nil { throw Cut() }
            try await writer.finish(nil)
        }
        return Response(status: start > 0 ? .partialContent : .ok, headers: headers, body: body)
    }

    private struct Cut: Error {}
}
