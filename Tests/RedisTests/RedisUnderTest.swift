import Redis
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a test on the shared server needs: a client, and a prefix that is its keys' alone.
struct RedisUnderTest {
    let client: RedisClient
    let prefix = "test:\(UUID().uuidString):"

    init() async throws {
        client = RedisClient(try RedisConfiguration(url: try await RedisServer.shared().url))
    }

    func key(_ name: String) -> String { prefix + name }
}

/// The error that a call throws, where it throws one of Redis'.
func redisError(_ body: () async throws -> some Any) async -> RedisError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RedisError
    }
}

/// Lets others go on until something is so; the test's time limit is the end of patience.
func until(_ condition: () async throws -> Bool) async throws {
    while !(try await condition()) { await Task.yield() }
}

extension RedisClient {
    /// Waits until so many connections are blocked in the server.
    func waitForBlockedClients(_ count: Int) async throws {
        try await until { try await Int(send(.info("clients"))["blocked_clients"] ?? "") == count }
    }
}
