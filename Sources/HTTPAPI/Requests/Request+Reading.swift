import Coordinator
import FarmAPI
import Hummingbird
import NIOCore
import FoundationEssentials

/// How routes read what a client sent. Unknown fields and parameters are refused, so that a typing error is reported
/// and not overlooked.
extension Request {
    /// The whole body. Memory is reserved before reading when the request gives its length, and otherwise while the
    /// body arrives.
    /// - Parameter remedy: what a client can do with a larger body.
    /// - Throws: `RequestFault` `tooLarge`; `tooManyRequests` or `unavailable` when there is no memory for it now.
    func bytes(upTo limit: Int, _ context: FarmRequestContext, remedy: String? = nil) async throws -> Data {
        let tooLarge = RequestFault(
            .tooLarge, "the body is larger than \(limit) bytes" + (remedy.map { "; \($0)" } ?? ""))
        guard let memory = context.bodyMemory else { throw RequestFault(.unauthorized, "a token is needed") }
        var taken = max(0, headers[.contentLength].flatMap(Int.init) ?? 0)
        guard taken <= limit else { throw tooLarge }
        try memory.take(taken)
        var data = Data()
        data.reserveCapacity(taken)
        for try await buffer in body {
            let count = data.count + buffer.readableBytes
            guard count <= limit else { throw tooLarge }
            if count > taken {
                try memory.take(count - taken)
                taken = count
            }
            data.append(contentsOf: buffer.readableBytesView)
        }
        return data
    }

    /// The body as JSON. Fields that `type` does not have are refused, and so is NUL in any text: PostgreSQL stores none.
    func body<Body: StrictBody>(_ type: Body.Type, _ context: FarmRequestContext) async throws -> Body {
        let data = try await bytes(upTo: FarmService.bodyLimit, context)
        try JSONText(data).checkFields(against: Body.fields)
        try TextCheck.noNUL(inJSON: String(decoding: data, as: UTF8.self), "the body")
        return try FarmJSON.decode(type, from: data)
    }

    /// The client's `Idempotency-Key`; nil where there is none.
    func idempotencyKey() throws -> String? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RequestFault(.badRequest, "an Idempotency-Key has 1...255 printable ASCII characters without spaces")
        }
        return key
    }

    /// The parameters of the query. Where one is repeated, the last value counts.
    /// - Throws: `RequestFault` when there are parameters other than `names`, and for what `NamedTexts` refuses.
    func query(_ names: String...) throws -> QueryParameters {
        var values: [String: String] = [:]
        for (name, value) in try parameters().all {
            guard names.contains(name) else {
                let known = names.isEmpty ? "it takes none" : "known are \(names.joined(separator: ", "))"
                throw RequestFault(.badRequest, "this address has no parameter '\(name)'; \(known)")
            }
            values[name] = value
        }
        return QueryParameters(values: values)
    }
}

/// The parameters of a query.
struct QueryParameters {
    let values: [String: String]

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestFault(.badRequest, "\(name) must be one of \(names), not '\(text)'")
        }
        return choice
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw RequestFault(
                .badRequest, "\(name) must be \(range.lowerBound)...\(range.upperBound), not '\(text)'")
        }
        return number
    }

    func exportID(_ name: String) throws -> ExportID? {
        guard let text = values[name] else { return nil }
        return try ExportID(checking: text)
    }
}

extension ExportID {
    /// - Throws: `RequestFault` `notFound`, because text that is not an id names no export.
    init(checking text: String) throws {
        guard let id = ExportID(text) else { throw RequestFault(.notFound, "'\(text)' is not the id of an export") }
        self = id
    }
}

extension FarmRequestContext {
    /// The export id in the path.
    func exportID() throws -> ExportID { try ExportID(checking: parameters.require("id")) }

    func number(_ what: String) throws -> Int64 {
        let text = try parameters.require("id")
        guard let number = Int64(text) else { throw RequestFault(.notFound, "'\(text)' is not a \(what)'s number") }
        return number
    }
}
