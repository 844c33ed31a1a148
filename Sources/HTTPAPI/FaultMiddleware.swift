import FarmAPI
import HTTPTypes
import Hummingbird
import Logging

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
        } catch {
            let known = RequestFault(error)
            let fault = known ?? RequestFault(.internalError, "something went wrong here; the coordinator's log says what")
            if fault.code == .internalError || fault.code == .unavailable {
                context.logger.error("\(request.method) \(request.uri.path) failed", metadata: ["error": "\(error)"])
            }
            // An answer to HEAD has no body: bytes of one would be taken for the beginning of the next answer.
            if request.method == .head {
                return Response(status: .init(code: fault.code.status), headers: fault.headers)
            }
            let body = FaultBody(fault.code, fault.message, diagnostics: fault.diagnostics)
            return try .json(body, status: .init(code: fault.code.status), headers: fault.headers)
        }
    }
}
