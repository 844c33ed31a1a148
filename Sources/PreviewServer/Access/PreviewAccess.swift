import HTTPTypes
import Hummingbird

/// Lets in who has the token, under a name of this machine, and from no other site's page.
struct PreviewAccess: RouterMiddleware {
    typealias Context = PreviewRequestContext

    let token: PreviewToken
    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: PreviewRequestContext,
        next: (Request, PreviewRequestContext) async throws -> Response
    ) async throws -> Response {
        guard hosts.allow(request.head.authority) else {
            throw PreviewFault(
                .forbidden,
                "the preview is not served under this host's name, but as 127.0.0.1, localhost and [::1]; open the address that "
                    + "'spool preview' printed")
        }
        guard PreviewAccess.isOwn(request) else {
            throw PreviewFault(.forbidden, "a page of another site made this request, so it is refused")
        }
        guard token.isHeld(by: request) else {
            throw PreviewFault(
                .unauthorized, "open the address that 'spool preview' printed: it has the token, which changes with each start")
        }
        return try await next(request, context)
    }

    /// Whether no other site's page made a request, as browsers say it: `Sec-Fetch-Site`
    /// (https://www.w3.org/TR/fetch-metadata/) and `Origin` (RFC 6454). Another port of this machine counts as the same
    /// site for cookies, but not here. Links to the page may be anywhere.
    private static func isOwn(_ request: Request) -> Bool {
        let site = request.headers[.named("Sec-Fetch-Site")]
        let isForeign = site == "cross-site" || site == "same-site"
        guard request.method == .get || request.method == .head else {
            guard !isForeign, let origin = request.headers[.origin] else { return !isForeign }
            return origin == "http://\(request.head.authority ?? "")"
        }
        let isLink =
            request.headers[.named("Sec-Fetch-Mode")] == "navigate" && request.headers[.named("Sec-Fetch-Dest")] == "document"
        return !isForeign || isLink
    }
}
