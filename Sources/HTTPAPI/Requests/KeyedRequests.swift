import ContentHashing
import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import FoundationEssentials

/// Carries out a request with an `Idempotency-Key` once. A repetition gets the first answer.
///
/// Only answers of requests that were carried out are kept; one that failed may be repeated with the same key.
struct KeyedRequests: Sendable {
    let store: any KeyedAnswerStore
    /// The greatest body in bytes that is compared.
    let bodyLimit: Int

    /// - Parameter hasJSONBody: whether the body is read to compare it with that of the earlier request. Media are not: they
    ///   have no limit.
    func answer(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext, hasJSONBody: Bool,
        _ handler: DescribedRouter.Handler
    ) async throws -> Response {
        guard let key = try request.idempotencyKey() else { return try await handler(request, caller, context) }
        var request = request
        var content = Data("\(request.method.rawValue) \(request.uri)\n".utf8)
        if hasJSONBody {
            let body = try await request.bytes(upTo: bodyLimit, context)
            content.append(body)
            request.body = Hummingbird.RequestBody(buffer: ByteBuffer(bytes: body))
        }
        switch try await store.beginRequest(key, hash: ContentHash.of(content), tenant: caller.tenant) {
        case .new: break
        case .underWay:
            throw RequestFault(.conflict, "a request with the idempotency key '\(key)' is under way; repeat this one later")
        case .ofAnotherRequest:
            throw RequestFault(.conflict, "the idempotency key '\(key)' was used for another request")
        case .answered(let answer):
            guard !answer.isSecret else {
                throw RequestFault(
                    .conflict,
                    "a request with the idempotency key '\(key)' was carried out; its answer had a secret and is not kept")
            }
            return Response(answer)
        }
        let response: Response
        do {
            response = try await handler(request, caller, context)
        } catch {
            // A request that is repeated is carried out.
            await end(key, caller, nil, context)
            throw error
        }
        let (answer, repeated) = try await kept(response)
        await end(key, caller, answer, context)
        return repeated
    }

    private func end(_ key: String, _ caller: Caller, _ answer: KeyedAnswer?, _ context: FarmRequestContext) async {
        do {
            try await store.endRequest(key, tenant: caller.tenant, answer)
        } catch {
            // The key counts as that of a request under way, until its time is over.
            context.logger.warning("the answer to a request with an idempotency key is not kept: \(error)")
        }
    }

    /// The answer, and the response with it, whose body can be read once.
    private func kept(_ response: Response) async throws -> (KeyedAnswer, Response) {
        let bytes = try await response.collectedBody()
        var answer = KeyedAnswer(
            status: response.status.code, contentType: response.headers[.contentType],
            location: response.headers[.location])
        answer.isSecret = response.headers[.cacheControl] == "no-store"
        if !answer.isSecret, bytes.readableBytes > 0 { answer.body = String(buffer: bytes) }
        var repeated = response
        repeated.body = ResponseBody(byteBuffer: bytes)
        return (answer, repeated)
    }
}

extension Response {
    /// A kept answer.
    fileprivate init(_ answer: KeyedAnswer) {
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        headers[.location] = answer.location
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: answer.body.map { ResponseBody(byteBuffer: ByteBuffer(string: $0)) } ?? ResponseBody())
    }
}
