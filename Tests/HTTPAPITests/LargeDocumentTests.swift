import BlockingWork
import Dispatch
import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

@Suite("Large documents", .timeLimit(.minutes(2)))
struct LargeDocumentTests {
    @Test("that wait to be read hold none of the threads that answer other requests")
    func lightRequests() async throws {
        var options = Farm.quickOptions
        options.documentThreads = 1
        let farm = try await Farm(options: options)
        let work = farm.service.work
        // A document that is read for as long as the test wants.
        let gate = DispatchSemaphore(value: 0)
        let held = Task { try await work.run(lane: 99) { gate.wait() } }
        while work.begun == 0 { await Task.yield() }

        let clip = #"{"type":"av","url":"/media/clip.mp4","sped":2}"#
        let clips = Array(repeating: clip, count: 9_000).joined(separator: ",")
        let body = "{\"document\":{\"version\":1,\"mainTrackClips\":[\(clips)]}}"
        let ended = Counter()
        let documents = (0..<8).map { _ in
            Task {
                let answer = try await farm.send(.post, "/v1/exports", body: body)
                ended.add()
                return answer.status
            }
        }
        while work.waiting < documents.count { await Task.yield() }

        let health = try await farm.send(.get, "/healthz", as: nil)
        let listing = try await farm.send(.get, "/v1/exports", as: "other")
        #expect(health.status == .ok)
        #expect(listing.status == .ok)
        #expect(ended.count == 0)

        gate.signal()
        try await held.value
        for document in documents { #expect(try await document.value == .unprocessableContent) }
    }
}

/// How many have ended.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}
