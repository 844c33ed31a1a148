package import FarmAPI
import HTTPTypes
package import FoundationEssentials

/// The description of the API as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html), made from the descriptions of
/// the routes and from the types that they read and answer.
package struct OpenAPIDocument {
    /// The media type of problem documents (RFC 9457).
    package static let problemType = "application/problem+json"
    private static let security = "token"

    private let routes: [RouteDescription]
    private let version: String

    /// - Parameter version: the version of the program.
    package init(_ routes: [RouteDescription], version: String) {
        self.routes = routes
        self.version = version
    }

    /// The document.
    package var tree: JSONTree {
        let reader = SchemaReader()
        _ = reader.schema(of: Problem.self)
        var paths: [String: JSONTree] = [:]
        for route in routes {
            let path = OpenAPIDocument.template(of: route.path)
            var methods = paths[path] ?? [:]
            methods[route.method.rawValue.lowercased()] = operation(route, reader)
            paths[path] = methods
        }
        return [
            "openapi": "3.1.1",
            "info": [
                "title": "Spool", "version": .text(version),
                "description": "The HTTP API of a Spool farm, which renders drafts of videos into films.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": "/"]],
            "tags": .array(Set(routes.map(\.resource)).sorted().map { ["name": .text($0)] }),
            "paths": .object(paths),
            "components": [
                "schemas": .object(reader.components.mapValues(\.tree)),
                "securitySchemes": [
                    OpenAPIDocument.security: [
                        "type": "http", "scheme": "bearer",
                        "description": "A token that `spool token create` has made.",
                    ]
                ],
            ],
        ]
    }

    /// The document as JSON, the same bytes every time.
    package var json: Data {
        do {
            return try FarmJSON.encode(tree, indented: true)
        } catch {
            preconditionFailure("a tree of JSON values can be encoded: \(error)")
        }
    }

    /// A route's path with its parameters in braces: `/v1/exports/{id}/film`.
    static func template(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
    }

    // MARK: The parts of an operation

    private func operation(_ route: RouteDescription, _ reader: SchemaReader) -> JSONTree {
        var operation: JSONTree = [
            "operationId": .text(route.operation), "tags": [.text(route.resource)],
            "description": .text(route.summary), "responses": .object(responses(of: route, reader)),
        ]
        let parameters = parameters(of: route)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = route.body {
            operation["requestBody"] = [
                "required": true, "description": .text(body.meaning),
                "content": .object([body.contentType: ["schema": body.schema(by: reader).tree]]),
            ]
        }
        if !route.scopes.isEmpty {
            // Scopes of bearer tokens are informative (OpenAPI 3.1, 4.8.30).
            operation["security"] = [[OpenAPIDocument.security: .array(route.scopes.map { .text($0.rawValue) })]]
        }
        return operation
    }

    private func parameters(of route: RouteDescription) -> [JSONTree] {
        let path = route.parameters.map { parameter -> JSONTree in
            [
                "name": .text(parameter.name), "in": "path", "required": true, "description": .text(parameter.meaning),
                "schema": parameter.schema.tree,
            ]
        }
        let query = route.query.map { parameter -> JSONTree in
            [
                "name": .text(parameter.name), "in": "query", "schema": parameter.schema.withoutNUL.tree,
                "description": .text(parameter.meaning + (parameter.fallback.map { "; by default \($0)" } ?? "")),
            ]
        }
        let headers = route.headers.map { header -> JSONTree in
            [
                "name": .text(header.name), "in": "header", "schema": header.schema.tree, "description": .text(header.meaning),
            ]
        }
        return path + query + headers
    }

    private func responses(of route: RouteDescription, _ reader: SchemaReader) -> [String: JSONTree] {
        var responses: [String: JSONTree] = [:]
        for answer in route.answers {
            var response: JSONTree = ["description": .text(answer.meaning)]
            // Answers of one status differ in their type.
            let forms = route.answers.filter { $0.status == answer.status }.compactMap { content(of: $0, route, reader) }
            let types = forms.flatMap { $0.members }
            if !types.isEmpty { response["content"] = .object(Dictionary(types) { first, _ in first }) }
            if !answer.headers.isEmpty {
                let headers = answer.headers.map { header -> (String, JSONTree) in
                    (header.name, ["schema": header.schema.tree, "description": .text(header.meaning)])
                }
                response["headers"] = .object(Dictionary(headers) { first, _ in first })
            }
            responses["\(answer.status)"] = response
        }
        for (status, faults) in Dictionary(grouping: route.allFaults, by: \.status) {
            // A 503 of `/readyz` is an answer.
            guard responses["\(status)"] == nil else { continue }
            var response: JSONTree = [
                "description": .text(faults.map { "`\($0.rawValue)`: \($0.meaning)" }.joined(separator: "; "))
            ]
            if route.method != .head {
                response["content"] = .object([
                    OpenAPIDocument.problemType: ["schema": JSONSchema.component("Problem").tree]
                ])
            }
            responses["\(status)"] = response
        }
        return responses
    }

    private func content(of answer: RouteAnswer, _ route: RouteDescription, _ reader: SchemaReader) -> JSONTree? {
        guard let type = answer.contentType, route.method != .head else { return nil }
        guard type.contains("/") else { return ["*/*": ["schema": JSONSchema.bytes.tree]] }
        let bare = type.split(separator: ";").first.map(String.init) ?? type
        let isJSON = type == "application/json"
        let schema =
            answer.type?.schema(by: reader) ?? (isJSON ? .object : bare == "text/event-stream" ? .serverSentEvent : .string)
        return .object([bare: ["schema": schema.tree]])
    }
}

extension RouteDescription {
    /// The resource that the route belongs to: the first part of its path behind the version, such as `exports`.
    package var resource: String {
        let parts = path.split(separator: "/")
        return parts.first == "v1" && parts.count > 1 ? String(parts[1]) : "health"
    }

    /// Every way in which the route can fail.
    package var allFaults: [FaultCode] {
        let common = scopes.isEmpty ? RouteDescription.openFaults : RouteDescription.commonFaults
        let all = faults + common + RouteDescription.readingFaults
        return FaultCode.allCases.filter(all.contains)
    }
}
