import Coordinator
import Dashboard
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// Lets pages be asked for by those who have logged in, and forms be sent by pages of their sessions.
struct SessionAuthentication: RouterMiddleware {
    typealias Context = FarmRequestContext

    let authentication: BearerAuthentication
    /// Whether this coordinator has a certificate.
    let isEncrypted: Bool

    /// The largest form, in bytes. A thousand exports can be chosen at a time.
    private static let formLimit = 256 << 10

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        let isSecure = request.isSecure(isEncrypted)
        guard let session = DashboardSession(of: request, isSecure: isSecure) else {
            throw RequestFault(.unauthorized, "log in first")
        }
        var context = context
        context.session = session
        do {
            return try await authentication.admit(session.secret, request, context) { request, context in
                do {
                    return try await next(request, try await checked(request, session, context))
                } catch {
                    return try DashboardFrame.answer(to: error, request, context, viewer: context.viewer(of: request))
                }
            }
        } catch let fault as RequestFault where fault.code == .unauthorized {
            // The token was revoked or has expired, and the session with it.
            var response = try DashboardFrame.answer(to: fault, request, context, viewer: nil)
            response.headers[.setCookie] = DashboardSession.noCookie(isSecure: isSecure)
            return response
        }
    }

    /// Checks that a form comes from a page of the session.
    private func checked(
        _ request: Request, _ session: DashboardSession, _ context: FarmRequestContext
    ) async throws -> FarmRequestContext {
        guard request.method == .post else { return context }
        let form = try NamedTexts(form: try await request.bytes(upTo: SessionAuthentication.formLimit, context))
        guard session.accepts(formKey: form["key"]) else {
            throw RequestFault(
                .forbidden, "the form does not belong to this session, so nothing was changed; open the page again")
        }
        var context = context
        context.form = form
        return context
    }
}

extension Request {
    /// Whether the client speaks TLS: with this coordinator, or with a proxy before it, which says so.
    func isSecure(_ isEncrypted: Bool) -> Bool { isEncrypted || headers[.forwardedProtocol]?.lowercased() == "https" }
}

extension FarmRequestContext {
    /// Who looks at the page, and how; nil where nobody has logged in.
    func viewer(of request: Request) -> Viewer? {
        guard let principal, let session else { return nil }
        let theme = request.cookie("spool-theme").flatMap(Viewer.Theme.init(rawValue:)) ?? .auto
        return Viewer(
            tenant: principal.tenant, scopes: principal.scopes, formKey: session.formKey,
            once: String(UInt64.random(in: .min ... .max), radix: 36), theme: theme,
            wantsContentOnly: request.headers[.spoolPart] == "content", now: Date())
    }
}
