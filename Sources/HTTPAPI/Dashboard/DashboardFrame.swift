import BlockingWork
import Dashboard
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// What all addresses of the dashboard have in common: the headers that keep other sites out, and pages in the place of
/// problem documents.
struct DashboardFrame: RouterMiddleware {
    typealias Context = FarmRequestContext

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if request.method == .get || request.method == .head {
                try RequestSite.checkReading(request)
            } else {
                try RequestSite.checkChange(request)
            }
            response = try await next(request, context)
        } catch {
            response = try DashboardFrame.answer(to: error, request, context, viewer: nil)
        }
        for (name, value) in DashboardFrame.headers where response.headers[name] == nil { response.headers[name] = value }
        return response
    }

    /// Nothing is loaded from elsewhere, no page has scripts or styles within, and no other site may show a page in a frame or
    /// read an answer.
    private static let headers: [(HTTPField.Name, String)] = [
        (
            .parsed("Content-Security-Policy"),
            "default-src 'self'; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'"
        ),
        (.parsed("X-Frame-Options"), "DENY"), (.parsed("X-Content-Type-Options"), "nosniff"),
        (.parsed("Referrer-Policy"), "same-origin"), (.parsed("Cross-Origin-Resource-Policy"), "same-origin"),
        (.parsed("Cross-Origin-Opener-Policy"), "same-origin"), (.cacheControl, "no-store"),
    ]

    /// A page that says why a request was not carried out. Somebody without a session is led to the login.
    /// - Throws: errors of connections that are gone, which have no answer.
    static func answer(
        to error: any Error, _ request: Request, _ context: FarmRequestContext, viewer: Viewer?
    ) throws -> Response {
        if error is CancellationError || error is HTTPParserError { throw error }
        let known = RequestFault(error)
        let fault = known ?? RequestFault(.internalError, "an internal error occurred; see the coordinator's log")
        let isLimit = error is RequestFault || error is BlockingPool.Full
        if !isLimit, fault.code == .internalError || fault.code == .unavailable {
            context.logger.error("\(request.method) \(request.uri.path) failed", metadata: ["error": "\(error)"])
        }
        let isPage = request.method == .get && request.headers[.accept]?.contains("text/html") == true
        if fault.code == .unauthorized, isPage, request.headers[.spoolPart] == nil {
            let asked = Address(asked: request.head.path ?? "/")
            return redirect(Address("ui", "login", query: [("to", asked?.text == "/" ? nil : asked?.text)]))
        }
        var message = fault.message
        for diagnostic in (fault.diagnostics ?? []).prefix(5) { message += "; \(diagnostic.path): \(diagnostic.message)" }
        var response = page(
            FaultPage(status: fault.code.status, message: message, back: request.pageBefore), viewer,
            status: .init(code: fault.code.status))
        for (name, value) in fault.headers {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }

    static func page(
        _ page: some DashboardPage, _ viewer: Viewer?, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: Layout.page(page, for: viewer).text)))
    }

    /// Leads to another page, which is asked for by GET.
    static func redirect(_ address: Address) -> Response {
        Response(status: .seeOther, headers: [.location: address.text])
    }
}
