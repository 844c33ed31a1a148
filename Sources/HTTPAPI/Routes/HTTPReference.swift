import Coordinator
import FarmAPI

/// The text of `docs/http.md`: the descriptions of all routes as Markdown, grouped by resource. `HTTPReferenceTests`
/// compares the file with it and records it.
package struct HTTPReference {
    private static let columns = 120

    /// In the order of the page.
    let routes: [RouteDescription]

    package init(_ routes: [RouteDescription]) {
        self.routes = routes
    }

    /// The whole page.
    package var markdown: String {
        var lines = introduction
        for group in groups {
            lines += ["", "## \(group.title)"]
            for route in group.routes { lines += [""] + section(route) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: The parts of the page

    private var introduction: [String] {
        let paragraphs = [
            "Written by the routes (`Sources/HTTPAPI`); a test compares, and `SPOOL_RECORD_SNAPSHOTS=1` writes it anew. The limits "
                + "on requests and bodies are in [configuration.md](configuration.md).",
            "A request names its token: `Authorization: Bearer TOKEN`. The token needs one of the scopes of the route; the scope "
                + "`admin` stands for all, and sees the exports, jobs and recordings of all tenants. What belongs to another "
                + "tenant counts as missing.",
            "Bodies are JSON in UTF-8, unless another media type is named. Dates are ISO 8601 in UTC, with milliseconds. A listing "
                + "is an object with `items` and `at`, the server's time. Unknown fields of a body are refused, and so are unknown "
                + "parameters where a route has a query.",
            "Every `GET` can also be asked as `HEAD`. Another method that an address does not know gets 405, with the known ones in "
                + "`Allow`.",
            "A request that fails gets the body `{\"error\": {\"code\": ..., \"message\": ..., \"diagnostics\": ...}}`. "
                + "`diagnostics` is there when a draft or settings are at fault. Where `Retry-After` is given, the same request "
                + "may succeed after that number of seconds.",
        ]
        var lines = ["# The HTTP API"]
        for paragraph in paragraphs { lines += [""] + HTTPReference.wrapped(paragraph) }
        lines += ["", "| code | status | what it means |", "|---|---|---|"]
        lines += FaultCode.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
            .map { "| `\($0.rawValue)` | \($0.status) | \($0.meaning) |" }
        let common = RouteDescription.commonFaults.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let closing =
            "Every route that needs a token can fail with \(common), so these are not repeated below. A request that the server "
            + "cannot read in full fails with `addressTooLong`, `headersTooLarge` or `requestTimeout`."
        return lines + [""] + HTTPReference.wrapped(closing)
    }

    /// The routes of each resource. The first part of a path behind the version names the resource.
    private var groups: [(title: String, routes: [RouteDescription])] {
        var groups: [(title: String, routes: [RouteDescription])] = []
        for route in routes {
            let parts = route.path.split(separator: "/")
            let title = parts.first == "v1" && parts.count > 1 ? parts[1].prefix(1).uppercased() + parts[1].dropFirst() : "Health"
            if let place = groups.firstIndex(where: { $0.title == title }) {
                groups[place].routes.append(route)
            } else {
                groups.append((title, [route]))
            }
        }
        return groups
    }

    private func section(_ route: RouteDescription) -> [String] {
        var items: [String] = []
        items.append(
            route.scopes.isEmpty
                ? "Needs no token." : "Scope: \(route.scopes.map { "`\($0.rawValue)`" }.joined(separator: " or ")).")
        items += route.parameters.map { "Path `\($0.name.uppercased())`: \($0.meaning)." }
        items += route.headers.map { "Header `\($0.name)`: \($0.meaning)." }
        items += route.query.map { parameter in
            let fallback = parameter.fallback.map { ", by default \($0)" } ?? ""
            return "Query `\(parameter.name)`: \(parameter.values)\(fallback); \(parameter.meaning)."
        }
        if let body = route.body {
            items.append("Body, `\(body.contentType)`: \(body.meaning)\(body.fields.isEmpty ? "." : ":")")
            items += body.fields.map { "  - `\($0.name)`: \($0.meaning)." }
        }
        items += route.answers.map { answer in
            let type = answer.contentType.map { $0.contains("/") ? ", `\($0)`" : ", with the type \($0)" } ?? ""
            return "Answer \(answer.status)\(type): \(answer.meaning)."
        }
        if !route.faults.isEmpty {
            items.append("Fails with \(route.faults.map { "\($0.status) `\($0.rawValue)`" }.joined(separator: ", ")).")
        }
        let list = items.flatMap { item in
            item.hasPrefix("  - ")
                ? HTTPReference.wrapped(String(item.dropFirst(4)), first: "  - ", next: "    ")
                : HTTPReference.wrapped(item, first: "- ", next: "  ")
        }
        return ["### \(route)", ""] + HTTPReference.wrapped(route.summary) + [""] + list
    }

    /// Breaks a text between words into lines of at most 120 columns.
    private static func wrapped(_ text: String, first: String = "", next: String = "") -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = next
                isEmpty = true
            }
            line += isEmpty ? String(word) : " \(word)"
            isEmpty = false
        }
        return lines + [line]
    }
}

extension FaultCode {
    /// One sentence without its full stop, as Markdown.
    var meaning: String {
        switch self {
        case .badRequest: "the request cannot be read: bad JSON, an unknown field, a parameter out of its range"
        case .unauthorized: "the request has no token, or one that is unknown or revoked"
        case .forbidden: "the token lacks the scope, or the priority is above the tenant's cap"
        case .notFound: "there is no such thing, or it belongs to another tenant"
        case .methodNotAllowed: "the address does not know the method"
        case .conflict: "the request contradicts what exists or the state that it is in"
        case .tooLarge: "the body is larger than its limit"
        case .addressTooLong: "the request's address is too long"
        case .headersTooLarge: "there are too many header fields, or they are too long"
        case .requestTimeout: "the request did not arrive in time"
        case .tooManyRequests: "this token, tenant or address asks for too much at a time"
        case .preconditionFailed: "`If-Match` names other bytes than the current ones"
        case .badRange: "the range lies beyond the end of the file"
        case .invalid: "the draft, its settings or its sources have errors, which `diagnostics` lists"
        case .hashMismatch: "the bytes do not have the hash that the address names"
        case .unavailable: "the database, the queue or the storage cannot be reached, or the coordinator is overloaded"
        case .internalError: "a fault of the farm; the coordinator's log says more"
        }
    }
}
