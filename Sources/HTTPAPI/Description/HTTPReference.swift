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
            "The coordinator serves the same description as OpenAPI 3.1 at `/v1/openapi.json`, and a page of it at `/docs`. "
                + "Clients can be generated from it.",
            "A request that fails gets a problem document (RFC 9457, `application/problem+json`): `type` is the address of the "
                + "code's line on the page `/docs`, `title` what it means, `status` the status, `detail` what is wrong and how to "
                + "correct it, `code` one of the codes below, and `request` the request's id. `diagnostics` is there when a draft "
                + "or settings are at fault. Where `Retry-After` is given, the same request may succeed after that number of "
                + "seconds.",
            "Answers to requests with a token have `RateLimit-Policy` and `RateLimit`: how many requests may come at once, and how "
                + "many may come now.",
            "A listing comes in pages: `next` is there while there are more items, and is the parameter `cursor` of the next page.",
            "Every answer to a request that could be read has an `X-Request-Id`: the one of the request, if it has one of 1...128 printable ASCII characters "
                + "without spaces, or a new one. The coordinator's log has it, too.",
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
            let title = route.resource.prefix(1).uppercased() + route.resource.dropFirst()
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
