import HTTPAPI
import TestSupport
import Testing

@Suite("The table of the API's limits")
struct LimitTableTests {
    @Test("docs/configuration.md lists every limit of the API with its number")
    func table() throws {
        let options = FarmService.Options()
        let limits = options.requests
        func n(_ number: Int) -> String { DocumentTable.text(number) }
        func b(_ bytes: Int) -> String { DocumentTable.text(bytes: bytes) }
        func t(_ time: Duration) -> String { DocumentTable.text(time) }
        let expected = [
            ["body of a draft, a submission or a recording's settings", b(options.documentLimit), "413"],
            ["body of another JSON request", b(FarmService.bodyLimit), "413"],
            ["one asset", b(Int(options.assetLimit)), "413"],
            ["address of a request", b(limits.addressBytes), "414"],
            [
                "header fields of a request",
                "\(n(limits.headerCount)), each of \(b(limits.headerFieldBytes)), \(b(limits.headerBytes)) together with the address",
                "431",
            ],
            [
                "time from the opening of a connection, or the first byte of a request, to the end of its head",
                t(limits.headTime), "408, closed",
            ],
            ["pause within a body while the coordinator waits for it", t(limits.bodyPause), "408, closed"],
            [
                "rate of a body, once \(t(limits.bodyPause)) have passed", "\(b(limits.bodyRate))/s on average", "408, closed",
            ],
            ["time of a body", "\(t(limits.documentTime)), of an upload \(t(limits.uploadTime))", "408, closed"],
            ["a body that goes on after its answer", t(limits.lingerTime), "closed"],
            ["pause of a client that reads nothing of its answer", t(limits.answerPause), "closed"],
            ["a connection without a request after an answer", t(limits.idleTime), "closed"],
            [
                "a request, from its first byte to the end of its answer", t(limits.requestTime),
                "503 where its answer has not begun, closed",
            ],
            ["connections", "`connections` in all", "503, closed"],
            ["connections of one address (see below)", "`connectionsPerAddress`", "429, closed"],
            ["requests of one address in a second", "`requestsPerAddress`; `/healthz` is answered all the same", "429"],
            ["requests of one token in a second", "`requestsPerToken`", "429"],
            ["requests of one token at a time", n(limits.requestsAtOncePerToken), "429"],
            ["uploads", "`uploads` in all, a quarter of that for a tenant", "503, 429"],
            [
                "bytes of JSON bodies in memory, from their reading to their answers",
                "\(b(limits.bodyBytes)) in all, \(b(limits.bodyBytesPerTenant)) of a tenant", "503, 429",
            ],
            ["streams of events", "\(n(limits.streams)) in all, \(n(limits.streamsPerToken)) for a token", "503, 429"],
            [
                "documents that are read and checked at a time",
                "\(n(options.documentThreads)), on threads of their own; \(n(options.documentThreads - 1)) of a tenant", "wait",
            ],
            [
                "documents that wait for that",
                "\(n(options.documentsWaiting)) in all, \(n(options.documentsWaitingPerTenant)) of a tenant", "503, 429",
            ],
            ["a statement in the database, and its wait for a lock", "`statementTimeout`, half of it", "503"],
        ]
        #expect(try DocumentTable.rows(of: "docs/configuration.md", below: "## Limits of the API") == expected)
        // The settings have these defaults, which another test compares with the document.
        #expect(limits.uploadsPerTenant * 4 == limits.uploads)
    }
}
