import Hummingbird
import NIOCore
import Synchronization
import FoundationEssentials

/// Serves the description of the API: as OpenAPI 3.1, and as a page for people.
struct DescriptionRoutes {
    /// The texts of both, made when they are asked for first.
    private final class Texts: Sendable {
        private let made = Mutex<(document: String, page: String)?>(nil)

        func texts(_ make: () -> (document: String, page: String)) -> (document: String, page: String) {
            made.withLock { made in
                if let made { return made }
                let new = make()
                made = new
                return new
            }
        }
    }

    private static let own = [
        RouteDescription(
            .get, "/v1/openapi.json", "getDescription", "Describes this API as OpenAPI 3.1.", scopes: [],
            answers: [.document("the OpenAPI document")]),
        RouteDescription(
            .get, "/docs", "getPage", "Describes this API as a page for people, which loads nothing else.", scopes: [],
            answers: [RouteAnswer(200, "text/html", "the page")]),
    ]

    private let texts = Texts()
    private let routes: [RouteDescription]
    private let version: String

    /// - Parameters:
    ///   - routes: all other routes.
    ///   - version: the version of the program.
    init(describing routes: [RouteDescription], version: String) {
        self.routes = routes + DescriptionRoutes.own
        self.version = version
    }

    func add(to router: inout DescribedRouter) {
        router.addOpen(DescriptionRoutes.own[0]) { _, _ in DescriptionRoutes.answer(made.document, "application/json") }
        router.addOpen(DescriptionRoutes.own[1]) { _, _ in DescriptionRoutes.answer(made.page, "text/html") }
    }

    private var made: (document: String, page: String) {
        texts.texts {
            let document = OpenAPIDocument(routes, version: version)
            let page = DocumentationPage(routes, version: version, document: document.tree)
            return (String(decoding: document.json, as: UTF8.self), page.html)
        }
    }

    private static func answer(_ text: String, _ type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
