import TestSupport
import Testing
import FoundationEssentials

@Suite("The server of the tests", .timeLimit(.minutes(2)))
struct ServerOfTestsTests {
    private struct Refusal: Error {}

    @Test("a test's own server is gone when the test ends, also when it fails or is cancelled")
    func gone() async throws {
        for isCancelled in [false, true] {
            let (directories, found) = AsyncStream<String>.makeStream()
            let running = Task {
                try await PostgresServer.withServer { server in
                    found.yield(server.directory)
                    while isCancelled, !Task.isCancelled { await Task.yield() }
                    throw Refusal()
                }
            }
            var reader = directories.makeAsyncIterator()
            let directory = try #require(await reader.next())
            if isCancelled { running.cancel() }
            await #expect(throws: (any Error).self) { try await running.value }
            #expect(directory.hasPrefix("/tmp/"))
            #expect(!FileManager.default.fileExists(atPath: directory))
        }
    }
}
