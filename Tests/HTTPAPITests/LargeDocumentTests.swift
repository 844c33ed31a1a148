import FarmAPI
import BlockingWork
import Coordinator
import Dispatch
import HTTPAPI
import HTTPTypes
import TestServer
import TestSupport
import Testing

@Suite("Large documents", .timeLimit(.minutes(2)))
struct LargeDocumentTests {
    @Test("Large documents that wait to be parsed block none of the threads for other requests")
    func lightRequests() async throws {
        var options = Farm.quickOptions
        options.documentThreads = 1
        let farm = try await Farm(options: options)
        let work = farm.service.work
        // Block the thread that parses documents until the test opens the gate.
        let gate = DispatchSemaphore(value: 0)
        let held = Task { try await work.run(lane: 99) { gate.wait() } }
        while work.begun == 0 { try await nextLook() }

        let clip = #"{"type":"av","url":"/media/clip.mp4","sped":2}"#
        let clips = Array(repeating: clip, count: 9_000).joined(separator: ",")
        let body = "{\"document\":{\"version\":1,\"mainTrackClips\":[\(clips)]}}"
        let ended = CallCounter()
        let documents = (0..<8).map { _ in
            Task {
                let answer = try await farm.send(.post, "/v1/exports", body: body)
                ended.add()
                return answer.status
            }
        }
        while work.waiting < documents.count { try await nextLook() }

        let health = try await farm.send(.get, "/healthz", as: nil)
        let listing = try await farm.send(.get, "/v1/exports", as: "other")
        #expect(health.status == .ok)
        #expect(listing.status == .ok)
        #expect(ended.count == 0)

        gate.signal()
        try await held.value
        for document in documents { #expect(try await document.value == .unprocessableContent) }
    }

    /// A draft with the largest number of clips, each with an unknown field.
    private static let slow: String = {
        let clip = #"{"type":"image","url":"/media/card.png","duration":1,"volum":1}"#
        let clips = Array(repeating: clip, count: 10_000).joined(separator: ",")
        return "{\"document\":{\"version\":1,\"mainTrackClips\":[\(clips)]}}"
    }()

    @Test("Large documents of one tenant delay no export of another, and events keep their order")
    func otherTenants() async throws {
        let farm = try await Farm()
        let work = farm.service.work
        try await farm.led {
            // Block the thread that parses the tenant's documents; two more documents wait behind it.
            let gate = DispatchSemaphore(value: 0)
            let tenant = try await farm.submit().tenant
            let held = Task { try await work.run(lane: tenant) { gate.wait() } }
            defer { gate.signal() }
            let ended = CallCounter()
            let documents = (0..<2).map { _ in
                Task {
                    let answer = try await farm.send(.post, "/v1/exports", body: LargeDocumentTests.slow)
                    ended.add()
                    return answer.status
                }
            }
            // If a document is answered too early, stop waiting; the test fails below.
            while work.waiting < documents.count, ended.count == 0 { try await nextLook() }

            var exports: [Export] = []
            for number in 0..<20 {
                let clip = #"{"type":"image","url":"/media/card\#(number).png","duration":1}"#
                exports.append(try await farm.submit(#"{"version":1,"mainTrackClips":[\#(clip)]}"#, as: "other"))
            }
            for export in exports {
                let stream = try await farm.send(.get, "/v1/exports/\(export.id)/events", as: "other")
                #expect(stream.text.contains("\"state\":\"completed\""), "\(stream.text)")
                let events = try await farm.store.events(of: export.id, after: 0, limit: 100)
                #expect(events.map(\.kind) == [.submitted, .probing, .rendering, .completed])
                #expect(events.map(\.id) == events.map(\.id).sorted())
            }
            #expect(ended.count == 0)
            #expect(work.waiting == documents.count)

            gate.signal()
            try await held.value
            for document in documents { #expect(try await document.value == .unprocessableContent) }
        }
    }
}
