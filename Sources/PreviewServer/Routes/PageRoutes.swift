import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the page and the files that it loads, which are built into the program.
struct PageRoutes: Sendable {
    let token: PreviewToken

    func add(to router: Router<PreviewRequestContext>) {
        router.get("/", use: page)
        for asset in PageAsset.all {
            router.get(RouterPath("/\(asset.name)")) { _, _ in Response.bytes(asset.bytes, type: asset.mediaType) }
        }
    }

    /// The page. An address with the token leads to the one without it, so that the token does not stay in the browser's
    /// history.
    @Sendable private func page(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        guard request.queryToken == nil else {
            return Response(status: .seeOther, headers: [.location: "/", .setCookie: token.cookie])
        }
        return Response.bytes(PageAsset.page.bytes, type: PageAsset.page.mediaType)
    }
}
