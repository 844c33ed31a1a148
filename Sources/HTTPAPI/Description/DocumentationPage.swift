import FarmAPI
import HTTPTypes

/// The page `/docs`: the description of the API for people, as one HTML document that loads nothing.
struct DocumentationPage {
    let routes: [RouteDescription]
    let version: String
    /// The schemas of structures by their name.
    let components: [String: JSONTree]

    /// - Parameter document: the OpenAPI document of the same routes.
    init(_ routes: [RouteDescription], version: String, document: JSONTree) {
        self.routes = routes
        self.version = version
        components = document["components"]?["schemas"]?.members ?? [:]
    }

    var html: String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Spool: the HTTP API</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>\(DocumentationPage.style)</style></head><body>
        <nav>\(navigation)</nav>
        <main><h1>Spool: the HTTP API</h1>
        <p>Version \(escaped(version)). The same description as OpenAPI 3.1: <a href="/v1/openapi.json">/v1/openapi.json</a>.
        A request names its token: <code>Authorization: Bearer TOKEN</code>.</p>
        \(resources.map(section).joined())
        <h2 id="faults">Faults</h2>
        <p>A request that fails gets a problem document (RFC 9457), <a href="#Problem">Problem</a>, with one of these codes.</p>
        <table>\(FaultCode.allCases.map(row).joined())</table>
        <h2 id="schemas">Objects</h2>
        \(components.keys.sorted().map(component).joined())
        </main></body></html>

        """
    }

    private static let style = """
        :root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0;display:flex}
        nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1em;min-width:16em;box-sizing:border-box}
        nav a{display:block;text-decoration:none}nav b{display:block;margin-top:.8em}main{padding:1em 2em;max-width:60em}
        code{font:13px ui-monospace,monospace}h3{margin:2em 0 .3em}table{border-collapse:collapse;width:100%}
        td,th{text-align:left;vertical-align:top;padding:.25em .6em .25em 0;border-top:1px solid #8884}
        @media(max-width:50em){body{display:block}nav{position:static;height:auto}}
        """

    /// The routes of each resource, in the order of the routes.
    private var resources: [(name: String, routes: [RouteDescription])] {
        var names: [String] = []
        for route in routes where !names.contains(route.resource) { names.append(route.resource) }
        return names.map { name in (name, routes.filter { $0.resource == name }) }
    }

    private var navigation: String {
        let groups = resources.map { resource in
            let links = resource.routes.map { "<a href=\"#\($0.operation)\">\(escaped($0.operation))</a>" }
            return "<b>\(escaped(resource.name))</b>\(links.joined())"
        }
        return groups.joined() + "<b>more</b><a href=\"#faults\">Faults</a><a href=\"#schemas\">Objects</a>"
    }

    private func section(_ resource: (name: String, routes: [RouteDescription])) -> String {
        "<h2>\(escaped(resource.name))</h2>\n" + resource.routes.map(route).joined()
    }

    private func route(_ route: RouteDescription) -> String {
        var rows = route.parameters.map { ("path <code>\(escaped($0.name))</code>", prose($0.meaning)) }
        rows += route.headers.map { ("header <code>\(escaped($0.name))</code>", prose($0.meaning)) }
        rows += route.query.map { parameter in
            let fallback = parameter.fallback.map { ", by default \($0)" } ?? ""
            return (
                "query <code>\(escaped(parameter.name))</code>", prose("\(parameter.values)\(fallback); \(parameter.meaning)")
            )
        }
        if let body = route.body {
            rows.append(("body <code>\(escaped(body.contentType))</code>", prose(body.meaning)))
            rows += body.fields.map { ("field <code>\(escaped($0.name))</code>", prose($0.meaning)) }
        }
        rows += route.answers.map { ("answer \($0.status)", prose($0.meaning)) }
        if !route.faults.isEmpty {
            let faults = route.faults.map { "<a href=\"#\($0.rawValue)\">\($0.status) \($0.rawValue)</a>" }
            rows.append(("fails with", faults.joined(separator: ", ")))
        }
        let scopes = route.scopes.map { "<code>\($0.rawValue)</code>" }.joined(separator: " or ")
        let address = OpenAPIDocument.template(of: route.path)
        return """
            <h3 id="\(route.operation)"><code>\(route.method.rawValue) \(escaped(address))</code></h3>
            <p>\(prose(route.summary)) \(route.scopes.isEmpty ? "Needs no token." : "Scope: \(scopes).")</p>
            <table>\(rows.map { "<tr><td>\($0.0)</td><td>\($0.1)</td></tr>\n" }.joined())</table>

            """
    }

    private func row(_ fault: FaultCode) -> String {
        "<tr id=\"\(fault.rawValue)\"><td><code>\(fault.rawValue)</code></td><td>\(fault.status)</td><td>\(prose(fault.meaning))</td></tr>\n"
    }

    private func component(_ name: String) -> String {
        let schema = components[name] ?? .null
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        let rows = (schema["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.map { property, schema in
            "<tr><td><code>\(escaped(property))</code></td><td>\(type(of: schema))"
                + "\(required.contains(property) ? "" : ", optional")</td></tr>\n"
        }
        return "<h3 id=\"\(escaped(name))\">\(escaped(name))</h3>\n<table>\(rows.joined())</table>\n"
    }

    /// A schema in words.
    private func type(of schema: JSONTree) -> String {
        if let name = schema["$ref"]?.text?.split(separator: "/").last { return "<a href=\"#\(name)\">\(name)</a>" }
        if let choices = schema["enum"]?.elements, !choices.isEmpty {
            return "one of " + choices.compactMap(\.text).map { "<code>\(escaped($0))</code>" }.joined(separator: ", ")
        }
        if let items = schema["items"] { return "array of \(type(of: items))" }
        if let values = schema["additionalProperties"], !values.members.isEmpty { return "object of \(type(of: values))" }
        if let either = schema["anyOf"]?.elements, !either.isEmpty { return either.map(type).joined(separator: " or ") }
        let name = schema["type"]?.text ?? "any value"
        return escaped(schema["format"]?.text.map { "\(name) (\($0))" } ?? name)
    }

    /// Markdown of one paragraph as HTML. A link to a page of the manual becomes its text, because the coordinator does not
    /// serve the manual.
    private func prose(_ markdown: String) -> String {
        var html = ""
        var rest = escaped(markdown)[...]
        while let mark = rest.firstIndex(where: { $0 == "`" || $0 == "[" }) {
            html += rest[..<mark]
            let inner = rest[rest.index(after: mark)...]
            if rest[mark] == "`", let end = inner.firstIndex(of: "`") {
                html += "<code>\(inner[..<end])</code>"
                rest = inner[inner.index(after: end)...]
            } else if let middle = inner.firstRange(of: "]("), let end = inner[middle.upperBound...].firstIndex(of: ")") {
                html += inner[..<middle.lowerBound]
                rest = inner[inner.index(after: end)...]
            } else {
                html.append(rest[mark])
                rest = inner
            }
        }
        return html + rest
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
