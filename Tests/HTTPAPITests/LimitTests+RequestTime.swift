import BlockingWork
import Coordinator
import Dispatch
import FarmAPI
import HTTPAPI
import Testing

/// The time that a whole request may take, from its first byte to the end of its answer.
extension LimitTests {
    @Test("A request that takes too long in all loses its connection, although its answer goes on and is read")
    func requestTimeOfAnAnswer() async throws {
        let change = { (limits: inout RequestLimits) in
            // The answer has to begin within this time while other tests keep all processors busy.
            limits.requestTime = .seconds(20)
            limits.connectionsPerAddress = 2
            limits.headTime = .seconds(600)
        }
        try await serve(change) { farm, port in
            let export = try await farm.submit()
            // The test's own client has the other connection.
            let stream = try RawConnection(port: port)
            stream.send(request("GET", "/v1/exports/\(export.id)/events"))
            // This returns when the server closes the connection.
            let answer = await stream.received()
            #expect(status(answer) == "200")
            #expect(answer.contains("event: export"))
            #expect(!answer.hasSuffix("\r\n0\r\n\r\n"), "the answer was ended, and not cut off")
            #expect(try await farm.store.export(export.id, tenant: nil)?.state.isTerminal == false)
            // The next connection is accepted, because this one is closed.
            while status(try await farm.live(port, "GET", "/v1/exports")) != "200" { try Task.checkCancellation() }
        }
    }

    @Test("A request that is not answered in time gets 503 and ends the connection")
    func requestTimeOfHandling() async throws {
        try await serve({ $0.requestTime = .milliseconds(300) }) { farm, port in
            let work = farm.service.work
            // Both threads that read documents are busy until the test opens the gate.
            let gate = DispatchSemaphore(value: 0)
            let held = [Int64(98), 99].map { lane in Task { try await work.run(lane: lane) { gate.wait() } } }
            try await until { work.begun == held.count }
            let body = "{\"document\":\(Farm.draft)}"
            let connection = try RawConnection(port: port)
            connection.send(request("POST", "/v1/exports", length: body.utf8.count) + body)
            let answer = await connection.received()
            #expect(status(answer) == "503")
            #expect(answer.contains("the request was not answered within 0.3 seconds"), "\(answer)")
            #expect(answer.contains("connection: close"))
            #expect(answer.contains("retry-after: 2"))
            for _ in held { gate.signal() }
            for task in held { try await task.value }
            // Nothing of the request is left.
            try await until { farm.service.bodies.taken == 0 && work.waiting == 0 }
        }
    }

    @Test("A body that stops after it has begun gets 408, which says for how long")
    func bodyPause() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.bodyPause = .seconds(2)
            // Each byte earns a second, so the body is never too slow.
            limits.bodyRate = 1
        }
        try await serve(change) { _, port in
            let connection = try RawConnection(port: port)
            let path = "/v1/assets/\(String(repeating: "0", count: 64))"
            connection.send(request("PUT", path, "Expect: 100-continue\r\n", length: 100))
            #expect(await connection.received(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send("ten bytes.")
            let answer = await connection.received()
            #expect(status(answer) == "408")
            #expect(answer.contains("the request's body stopped for 2.0 seconds"), "\(answer)")
        }
    }
}
