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
        #expect(answer.fault?.message == "this address has no parameter 'unknown'; known are \(known)")
    }

    @Test(
        "The described fields of a body are those that the route accepts",
        arguments: Farm.routes.filter { $0.body?.accepted != nil })
    func fields(_ route: RouteDescription) throws {
        let body = try #require(route.body)
        #expect(Set(body.fields.map(\.name)) == body.accepted)
        #expect(Set(body.fields.map(\.name)).count == body.fields.count)
    }
}
