import Redis
import TestSupport
import Testing
import FoundationEssentials

/// A client on the shared server, and a prefix for keys that only this test uses.
struct RedisUnderTest {
    let client: RedisClient
    let prefix = "test:\(UUID().uuidString):"

    init() async throws {
        client = RedisClient(try RedisConfiguration(url: try await RedisServer.shared().url))
    }

    func key(_ name: String) -> String { prefix + name }
}

/// The error that a call throws, where it is a `RedisError`.
func redisError(_ body: () async throws -> some Any) async -> RedisError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RedisError
    }
}

/// Lets other tasks run until a condition holds; the test's time limit ends the wait.
func until(_ condition: () async throws -> Bool) async throws {
    while !(try await condition()) { try await nextLook() }
}

extension RedisClient {
    /// Waits until this many connections are blocked in the server.
    func waitForBlockedClients(_ count: Int) async throws {
        try await until { try await Int(send(.info("clients"))["blocked_clients"] ?? "") == count }
    }
}
