import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import TestServer

/// A server at a farm's addresses that answers as a test says, where a farm would answer otherwise.
enum ForeignFarm {
    struct Answer: Sendable {
        var status = HTTPResponse.Status.ok
        var body: [UInt8] = []

        static func json(_ value: some Encodable) throws -> Answer { Answer(body: [UInt8](try FarmJSON.encode(value))) }

        static func refusal(_ code: FaultCode, _ detail: String) throws -> Answer {
            Answer(
                status: HTTPResponse.Status(code: code.status), body: [UInt8](try FarmJSON.encode(Problem(code, detail))))
        }
    }

    /// Serves while `work` runs.
    /// - Parameter answer: answers a request by its method and path, as `GET /v1/queues`.
    static func serve(
        _ answer: @escaping @Sendable (_ request: String) throws -> Answer,
        _ work: @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in
                let given = try answer("\(method.rawValue) \(request.uri.path)")
                return Response(status: given.status, body: ResponseBody(byteBuffer: ByteBuffer(bytes: given.body)))
            }
        }
        try await serving(router) { port in try await work("http://127.0.0.1:\(port)") }
    }
}
