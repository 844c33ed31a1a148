import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import FoundationEssentials

extension Response {
    /// A value as JSON.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        json(try FarmJSON.encode(value), status: status, headers: headers)
    }

    /// A document that is JSON already.
    static func json(_ document: Data, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
