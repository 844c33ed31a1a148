import BlockingWork
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Gives every failed request an answer in the same form, and logs the failures that are the farm's own.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = FarmRequestContext

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPParserError {
            // The client hung up in the middle of a request or did not send HTTP: the server closes the connection.
            throw error
        } catch {
            let known = RequestFault(error)
            let fault = known ?? RequestFault(.internalError, "an internal error occurred; see the coordinator's log")
            // A request refused by a limit is not a failure of the farm, and logging each one would fill the log.
            let isLimit = error is RequestFault || error is BlockingPool.Full
            if !isLimit, fault.code == .internalError || fault.code == .unavailable {
                var metadata: Logger.Metadata = ["error": "\(error)"]
                if let export = try? context.exportID() { metadata["export"] = "\(export)" }  // most addresses have none
                context.logger.error("\(request.method) \(request.uri.path) failed", metadata: metadata)
            }
            var headers: HTTPFields = [:]
            for (name, value) in fault.headers {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            if let pause = fault.code.retryAfter, headers[.retryAfter] == nil { headers[.retryAfter] = "\(pause)" }
            let problem = Problem(
                fault.code, fault.message, diagnostics: fault.diagnostics, request: context.requestID)
            var answer = try Response.json(problem, status: .init(code: fault.code.status), headers: headers)
            answer.headers[.contentType] = OpenAPIDocument.problemType
            // An answer to HEAD gives the body's length but has no body: a client would take its bytes for the next
            // answer.
            return request.method == .head ? answer.createHeadResponse() : answer
        }
    }
}

extension FaultCode {
    /// The number of seconds after which the same request may succeed; nil where waiting does not help.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests: 1
        case .unavailable: 2
        default: nil
        }
    }
}
