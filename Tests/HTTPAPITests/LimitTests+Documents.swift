import BlockingWork
import Coordinator
import Dispatch
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing

/// Limits on the documents that are read and checked at a time, and on those that wait for that.
extension LimitTests {
    private func body(_ document: String = Farm.draft) -> String { "{\"document\":\(document)}" }

    @Test("Two documents are read at a time, and the third waits until one of them is done")
    func documentsAtATime() async throws {
        let farm = try await Farm()
        let work = farm.service.work
        let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        let held = gates.enumerated().map { index, gate in
            Task { try await work.run(lane: Int64(98 + index)) { gate.wait() } }
        }
        try await until { work.begun == 2 }
        let third = Task { try await farm.send(.post, "/v1/exports", body: body()).status }
        try await until { work.waiting == 1 }
        #expect(work.begun == 2)
        gates[0].signal()
        #expect(try await third.value == .created)
        gates[1].signal()
        for task in held { try await task.value }
    }

    @Test("One document of a tenant is read at a time, and other tenants have the other thread")
    func documentsOfATenantAtATime() async throws {
        let farm = try await Farm()
        let work = farm.service.work
        let tenant = try await farm.submit().tenant
        let before = work.begun
        let gate = DispatchSemaphore(value: 0)
        let held = Task { try await work.run(lane: tenant) { gate.wait() } }
        try await until { work.begun == before + 1 }
        let second = Task { try await farm.send(.post, "/v1/exports", body: body()).status }
        try await until { work.waiting == 1 }
        #expect(try await farm.send(.post, "/v1/exports", as: "other", body: body()).status == .created)
        #expect(work.waiting == 1)
        gate.signal()
        try await held.value
        #expect(try await second.value == .created)
    }

    @Test("One waiting document too many of a tenant gets 429, and one too many for the server 503; other requests work")
    func waitingDocuments() async throws {
        var options = Farm.quickOptions
        options.documentThreads = 1
        options.documentsWaiting = 2
        options.documentsWaitingPerTenant = 1
        let farm = try await Farm(options: options)
        let work = farm.service.work
        let gate = DispatchSemaphore(value: 0)
        let held = Task { try await work.run(lane: 99) { gate.wait() } }
        try await until { work.begun == 1 }
        let first = Task { try await farm.send(.post, "/v1/exports", body: body()).status }
        try await until { work.waiting == 1 }
        let own = try await farm.send(.post, "/v1/exports", body: body())
        #expect(own.status == .tooManyRequests)
        #expect(own.fault?.detail == "too many documents of this tenant are being read; try again in a moment")
        #expect(own.headers[.retryAfter] == "1")
        let second = Task { try await farm.send(.post, "/v1/exports", as: "other", body: body()).status }
        try await until { work.waiting == 2 }
        let all = try await farm.send(.post, "/v1/exports", as: "admin", body: body())
        #expect(all.status == .serviceUnavailable)
        #expect(all.fault?.detail == "the coordinator is reading too many documents; try again in a moment")
        #expect(all.headers[.retryAfter] == "2")
        #expect(try await farm.send(.get, "/v1/exports").status == .ok)
        gate.signal()
        try await held.value
        #expect(try await first.value == .created)
        #expect(try await second.value == .created)
        #expect(try await farm.send(.post, "/v1/exports", as: "admin", body: body()).status == .created)
    }

    @Test("A document that waits to be parsed keeps its memory until it is answered")
    func memoryOfWaitingDocuments() async throws {
        let body = "{\"document\":\(Farm.draft)}"
        var options = Farm.quickOptions
        options.documentThreads = 1
        let farm = try await Farm(options: options)
        let gate = DispatchSemaphore(value: 0)
        let work = farm.service.work
        let held = Task { try await work.run(lane: 99) { gate.wait() } }
        try await until { work.begun > 0 }
        let waiting = Task { try await farm.send(.post, "/v1/exports", body: body).status }
        try await until { work.waiting > 0 }
        #expect(farm.service.bodies.taken == body.utf8.count)
        gate.signal()
        try await held.value
        #expect(try await waiting.value == .created)
        #expect(farm.service.bodies.taken == 0)
    }

}
