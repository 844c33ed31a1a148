import Coordinator
import FarmAPI
import Hummingbird
import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How routes read what a client sent: strictly, so that a slip of the pen is answered and not overlooked.
extension Request {
    /// The whole body. Its memory is taken before it is read where it says its length, and else while it arrives.
    /// - Throws: `RequestFault` `tooLarge`; `tooManyRequests` or `unavailable` when there is no memory for it now.
    func bytes(upTo limit: Int, _ context: FarmRequestContext) async throws -> Data {
        let tooLarge = RequestFault(.tooLarge, "the body is larger than \(limit) bytes")
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

    /// The body as JSON with these fields and no others.
    func body<Body: StrictBody>(_ type: Body.Type, _ context: FarmRequestContext) async throws -> Body {
        let data = try await bytes(upTo: 1 << 20, context)
        try Request.checkFields(of: data, against: Body.fields)
        return try FarmJSON.decode(type, from: data)
    }

    /// - Throws: `RequestFault` when the body has a field that nobody would read.
    static func checkFields(of data: Data, against known: Set<String>) throws {
        for name in JSONText(data).fieldNames ?? [] where !known.contains(name) {
            let names = known.sorted().joined(separator: ", ")
            throw RequestFault(.badRequest, "the body has a field '\(name)'; known are \(names)")
        }
    }

    /// The parameters behind the question mark.
    /// - Throws: `RequestFault` when there are others than these.
    func query(_ names: String...) throws -> QueryParameters {
        var values: [String: String] = [:]
        for (name, value) in uri.queryParameters {
            guard names.contains(String(name)) else {
                let known = names.isEmpty ? "it takes none" : "known are \(names.joined(separator: ", "))"
                throw RequestFault(.badRequest, "this address has no parameter '\(name)'; \(known)")
            }
            values[String(name)] = String(value).percentDecoded ?? String(value)
        }
        return QueryParameters(values: values)
    }
}

/// What stood behind the question mark.
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

    /// How many to list.
    func limit() throws -> Int { try integer("limit", in: 1...1000) ?? 100 }

    func exportID(_ name: String) throws -> ExportID? {
        guard let text = values[name] else { return nil }
        return try ExportID(checking: text)
    }
}

extension ExportID {
    /// - Throws: `RequestFault` `notFound`: what cannot be an id names nothing.
    init(checking text: String) throws {
        guard let id = ExportID(text) else { throw RequestFault(.notFound, "'\(text)' is no export's id") }
        self = id
    }
}

extension FarmRequestContext {
    /// A part of the path.
    func exportID() throws -> ExportID { try ExportID(checking: parameters.require("id")) }

    func number(_ what: String) throws -> Int64 {
        let text = try parameters.require("id")
        guard let number = Int64(text) else { throw RequestFault(.notFound, "'\(text)' is no \(what)'s number") }
        return number
    }
}
