import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import TestSupport
import Testing
import FoundationEssentials

/// The descriptions of the routes agree with what the routes do, and `docs/http.md` with the descriptions.
@Suite struct HTTPReferenceTests {
    @Test("docs/http.md agrees with the descriptions of the routes")
    func documentation() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.path + "/docs/http.md"
        let text = HTTPReference(Farm.routes).markdown
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            Issue.record("recorded \(file); read the difference and run again without SPOOL_RECORD_SNAPSHOTS")
        }
        #expect(text == (try String(contentsOfFile: file, encoding: .utf8)))
    }

    @Test("Every route is described once, with each parameter of its path", arguments: Farm.routes)
    func parameters(_ route: RouteDescription) {
        #expect(Farm.routes.count { $0.method == route.method && $0.path == route.path } == 1)
        let names = route.path.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
        #expect(route.parameters.map(\.name) == names)
        #expect(!route.examplePath.contains(":"))
        #expect(route.summary.hasSuffix("."))
    }

    @Test("The answer to a request for nothing that exists has a described status", arguments: Farm.routes)
    func statuses(_ route: RouteDescription) async throws {
        let farm = try await Farm()
        let answer = try await farm.send(route.method, route.examplePath, as: "admin", body: route.body.map { _ in "" })
        let faults = (route.faults + RouteDescription.commonFaults).map(\.status)
        #expect((route.answers.map(\.status) + faults).contains(Int(answer.status.code)))
        if answer.status.kind == .successful {
            let types = route.answers.filter { $0.status == answer.status.code }.map(\.contentType)
            #expect(types.contains(answer.headers[.contentType]))
        }
    }

    @Test(
        "A route with a query refuses unknown parameters and names those that are described",
        arguments: Farm.routes.filter { !$0.query.isEmpty })
    func queries(_ route: RouteDescription) async throws {
        let farm = try await Farm()
        let answer = try await farm.send(route.method, route.examplePath + "?unknown=1", as: "admin")
        #expect(answer.status == .badRequest)
        let known = route.query.map(\.name).joined(separator: ", ")
        #expect(answer.fault?.detail == "this address has no parameter 'unknown'; known are \(known)")
    }

    @Test(
        "NUL in any text of a body is a bad request, and the document excludes it",
        arguments: Farm.routes.filter { $0.body?.accepted != nil })
    func nulInBodies(_ route: RouteDescription) async throws {
        let name = try #require(route.body?.type?.name)
        let properties = DescribedAnswers.document["components"]?["schemas"]?[name]?["properties"]?.members ?? [:]
        for (field, schema) in properties {
            for kind in [schema] + (schema["anyOf"]?.elements ?? []) where kind["type"]?.text == "string" {
                let isOpen = kind["pattern"] == nil && kind["enum"] == nil && kind["format"] == nil
                #expect(!isOpen, "\(route): \(field)")
            }
            // Only objects whose names the client chooses have this keyword with a schema.
            for kind in [schema] + (schema["anyOf"]?.elements ?? []) where kind["additionalProperties"]?.members.isEmpty == false
            {
                #expect(kind["propertyNames"]?["pattern"]?.text == "^[^\\u0000]*$", "\(route): \(field)")
            }
            let body = try FarmJSON.encode([field: "a\0b"] as [String: String])
            let answer = try await Farm().send(route.method, route.examplePath, as: "admin", bytes: Array(body))
            // The example's path names nothing that exists, which a route may find out first.
            let isFirst = !route.parameters.isEmpty && answer.status == .notFound
            #expect(answer.status == .badRequest || isFirst, "\(route): \(field)")
        }
    }

    @Test(
        "NUL in any parameter of a query is a bad request",
        arguments: Farm.routes.filter { !$0.query.isEmpty })
    func nulInQueries(_ route: RouteDescription) async throws {
        for parameter in route.query {
            let path = route.examplePath + "?\(parameter.name)=a%00b"
            let answer = try await Farm().send(route.method, path, as: "admin")
            #expect(answer.status == .badRequest, "\(route): \(parameter.name)")
        }
    }

    @Test(
        "The described fields of a body are those that the route accepts",
        arguments: Farm.routes.filter { $0.body?.accepted != nil })
    func fields(_ route: RouteDescription) throws {
        let body = try #require(route.body)
        #expect(Set(body.fields.map(\.name)) == body.accepted)
        #expect(Set(body.fields.map(\.name)).count == body.fields.count)
    }

    @Test("Every route has an operation of its own name in the OpenAPI document, and every reference leads somewhere")
    func operations() throws {
        let document = DescribedAnswers.document
        let operations = (document["paths"]?.members ?? [:]).values.flatMap {
            $0.members.values.compactMap { $0["operationId"]?.text }
        }
        #expect(operations.sorted() == Farm.routes.map(\.operation).sorted())
        #expect(Set(operations).count == operations.count)
        func references(_ tree: JSONTree) -> [String] {
            (tree["$ref"]?.text).map { [$0] } ?? (tree.members.values + tree.elements).flatMap(references)
        }
        let names = Set((document["components"]?["schemas"]?.members ?? [:]).keys.map { "#/components/schemas/\($0)" })
        #expect(Set(references(document)).subtracting(names).isEmpty)
        #expect(names.contains("#/components/schemas/ExportListing"))
    }

    @Test("The schema of a structure tells optional properties from others, and names choices")
    func schemas() throws {
        let export = try #require(DescribedAnswers.document["components"]?["schemas"]?["Export"])
        let required = (export["required"]?.elements ?? []).compactMap(\.text)
        #expect(required.contains("createdAt") && !required.contains("finishedAt"))
        #expect(export["properties"]?["finishedAt"] == ["type": "string", "format": "date-time"])
        #expect(export["properties"]?["state"]?["enum"]?.elements.count == ExportState.allCases.count)
    }

    @Test("The document and the page are served without a token, and the page loads nothing")
    func served() async throws {
        let farm = try await Farm()
        let document = try await farm.send(.get, "/v1/openapi.json", as: nil)
        #expect(document.status == .ok)
        #expect(try document.json(JSONTree.self)["openapi"] == "3.1.1")
        let page = try await farm.send(.get, "/docs", as: nil)
        #expect(page.headers[.contentType] == "text/html")
        for route in Farm.routes { #expect(page.text.contains("id=\"\(route.operation)\"")) }
        for loading in ["src=", "<link", "<script", "@import", "url("] { #expect(!page.text.contains(loading)) }
    }
}
