import Coordinator
import Dashboard
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import FoundationEssentials

/// Serves the dashboard (docs/dashboard.md): pages for people at `/` and under `/ui`, for browsers that have logged in.
///
/// Pages are made of what the routes of `/v1` answer to the same caller (`OwnRoutes`), so they show nothing and do nothing
/// that the token could not ask of the API.
struct DashboardRoutes: Sendable {
    let service: FarmService
    let authentication: BearerAuthentication
    /// The routes of `/v1`.
    let routes: any HTTPResponder<FarmRequestContext>

    typealias Handler = @Sendable (DashboardRequest) async throws -> Response

    func add(to router: Router<FarmRequestContext>) {
        let open = router.group().add(middleware: DashboardFrame())
        open.get("/ui/login", use: login)
        open.post("/ui/login", use: logIn)
        open.post("/ui/theme", use: chooseTheme)
        open.get("/ui/assets/:name") { _, context in try DashboardRoutes.asset(context) }
        let session = SessionAuthentication(authentication: authentication, isEncrypted: service.options.isEncrypted)
        let first = router.group().add(middleware: BrowsersOnly()).add(middleware: DashboardFrame()).add(middleware: session)
        first.get("/") { request, context in try await overview(try DashboardRequest(request, context, routes: routes)) }
        let pages = DashboardPages(
            group: router.group().add(middleware: DashboardFrame()).add(middleware: session), routes: routes)
        pages.post("/ui/logout") { asked in
            var response = DashboardFrame.redirect(.login)
            response.headers[.setCookie] = DashboardSession.noCookie(
                isSecure: asked.request.isSecure(service.options.isEncrypted))
            return response
        }
        addExports(to: pages)
        addFarm(to: pages)
        addLibrary(to: pages)
        addAdministration(to: pages)
    }

    // MARK: The session

    @Sendable private func login(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        DashboardFrame.page(LoginPage(destination: destination(try request.parameters(space: .plus)["to"])), nil)
    }

    private func destination(_ text: String?) -> Address { text.flatMap(Address.init(asked:)) ?? .overview }

    /// The largest form of a login, in bytes.
    private static let loginLimit = 8 << 10

    @Sendable private func logIn(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        var request = request
        let form = try NamedTexts(form: try await request.collectBody(upTo: DashboardRoutes.loginLimit).readableBytesView)
        let destination = destination(form["to"])
        let secret = form["token"].map { String($0.drop { $0 == " " }.prefix { $0 != " " && $0 != "\r" && $0 != "\n" }) } ?? ""
        do {
            // A text that no token is counts as a guess, too.
            let session = DashboardSession(secret: secret)
            return try await authentication.admit(session?.secret ?? "-", request, context) { _, context in
                guard let session else {
                    throw RequestFault(.unauthorized, "this is no token; paste the secret that 'spool token create' printed")
                }
                _ = try context.caller([.read])
                var response = DashboardFrame.redirect(destination)
                response.headers[.setCookie] = session.cookie(isSecure: request.isSecure(service.options.isEncrypted))
                return response
            }
        } catch let fault as RequestFault where [.unauthorized, .forbidden, .tooManyRequests].contains(fault.code) {
            let words =
                switch fault.code {
                case .unauthorized: "This token is unknown, has expired or has been revoked."
                case .forbidden: "This token lacks the scope read, which the dashboard needs."
                default: "This address has sent too many unknown tokens. Wait a moment."
                }
            var response = DashboardFrame.page(
                LoginPage(destination: destination, refusal: words), nil, status: .init(code: fault.code.status))
            for (name, value) in fault.headers where name == "Retry-After" { response.headers[.retryAfter] = value }
            return response
        }
    }

    /// Keeps the choice of colours in a cookie, so that pages come with them.
    @Sendable private func chooseTheme(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        var request = request
        let form = try NamedTexts(form: try await request.collectBody(upTo: DashboardRoutes.loginLimit).readableBytesView)
        let theme = form["theme"].flatMap(Viewer.Theme.init(rawValue:)) ?? .auto
        var response = DashboardFrame.redirect(request.pageBefore)
        response.headers[.setCookie] = "spool-theme=\(theme.rawValue); Path=/; SameSite=Lax; Max-Age=31536000"
        return response
    }

    private static func asset(_ context: FarmRequestContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let asset = StaticAsset.named(name) else {
            throw RequestFault(.notFound, "there is no file '\(name)'; load the page again that needs it")
        }
        return Response(
            status: .ok, headers: [.contentType: asset.mediaType, .cacheControl: "public, max-age=31536000, immutable"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}

/// Registers pages and forms for those who have logged in.
struct DashboardPages {
    let group: RouterGroup<FarmRequestContext>
    let routes: any HTTPResponder<FarmRequestContext>

    func get(_ path: RouterPath, use handler: @escaping DashboardRoutes.Handler) {
        group.get(path) { [routes] request, context in try await handler(try DashboardRequest(request, context, routes: routes)) }
    }

    func post(_ path: RouterPath, use handler: @escaping DashboardRoutes.Handler) {
        group.post(path) { [routes] request, context in try await handler(try DashboardRequest(request, context, routes: routes))
        }
    }
}

/// Answers `/` only to browsers. Programs get the same answer as for any address where nothing is.
private struct BrowsersOnly: RouterMiddleware {
    typealias Context = FarmRequestContext

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.accept]?.contains("text/html") == true else {
            throw RequestFault(.notFound, "there is nothing at this address")
        }
        return try await next(request, context)
    }
}
