import BlockingWork
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Gives every failed request the one form of answer, and writes those that are nobody's fault but the farm's to the log.
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
            // The client hung up in the middle, or sent what is no HTTP: the server closes the connection.
            throw error
        } catch {
            let known = RequestFault(error)
            let fault = known ?? RequestFault(.internalError, "something went wrong here; the coordinator's log says what")
            // What a limit refuses is no trouble of the farm's, and would fill the log.
            let isLimit = error is RequestFault || error is BlockingPool.Full
            if !isLimit, fault.code == .internalError || fault.code == .unavailable {
                context.logger.error("\(request.method) \(request.uri.path) failed", metadata: ["error": "\(error)"])
            }
            var headers = fault.headers
            if let pause = fault.code.retryAfter, headers[.retryAfter] == nil { headers[.retryAfter] = "\(pause)" }
            let body = FaultBody(fault.code, fault.message, diagnostics: fault.diagnostics)
            let answer = try Response.json(body, status: .init(code: fault.code.status), headers: headers)
            // An answer to HEAD tells the body's length and has none: its bytes would be taken for the next answer.
            return request.method == .head ? answer.createHeadResponse() : answer
        }
    }
}

extension FaultCode {
    /// After how many seconds the same request may be answered otherwise; nil where it will not.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests: 1
        case .unavailable: 2
        default: nil
        }
    }
}
