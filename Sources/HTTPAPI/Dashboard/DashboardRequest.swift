import Dashboard
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import FoundationEssentials

/// A request for a page of the dashboard, or of one of its forms, by somebody who has logged in.
struct DashboardRequest: Sendable {
    let request: Request
    let context: FarmRequestContext
    let viewer: Viewer
    /// The routes of `/v1`, for this caller.
    let routes: OwnRoutes

    init(_ request: Request, _ context: FarmRequestContext, routes: any HTTPResponder<FarmRequestContext>) throws {
        guard let viewer = context.viewer(of: request) else { throw RequestFault(.unauthorized, "log in first") }
        self.request = request
        self.context = context
        self.viewer = viewer
        self.routes = OwnRoutes(routes: routes, context: context)
    }

    /// A part of the path.
    func part(_ name: String) throws -> String {
        let text = try context.parameters.require(name)
        return text.percentDecoded ?? text
    }

    /// A parameter of the query; nil where it is absent or empty, as fields of a form are that say nothing.
    func query(_ name: String) throws -> String? { try request.parameters(space: .plus)[name] }

    /// A choice of the query; nil for none, and for one that does not exist.
    func query<Choice: RawRepresentable<String>>(_ name: String, _ type: Choice.Type) throws -> Choice? {
        try query(name).flatMap(Choice.init(rawValue:))
    }

    /// What an action before this page has done.
    func notice() throws -> Notice? { try query("did", Notice.self) }

    /// The form; its key is checked.
    func form() throws -> NamedTexts {
        guard let form = context.form else {
            throw RequestFault(.badRequest, "the request has no form; use the page of the dashboard again")
        }
        return form
    }

    /// What repetitions of the form have in common.
    func once() throws -> String {
        guard let once = try form()["once"], once.utf8.count <= 64 else {
            throw RequestFault(.badRequest, "the form is not complete; open the page again")
        }
        return once
    }

    /// A page as the answer.
    func answer(_ page: some DashboardPage) -> Response { DashboardFrame.page(page, viewer) }

    /// Leads to a page that says what was done.
    func done(_ notice: Notice, _ path: String...) -> Response {
        DashboardFrame.redirect(Address(path: path, query: [("did", notice.rawValue)]))
    }
}

extension Request {
    /// The page that a form was on; the overview where nobody says.
    var pageBefore: Address {
        guard let referer = headers[.parsed("Referer")], let mark = referer.firstRange(of: "://"),
            let slash = referer[mark.upperBound...].firstIndex(of: "/")
        else { return .overview }
        return Address(asked: String(referer[slash...])) ?? .overview
    }
}
