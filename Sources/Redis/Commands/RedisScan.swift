/// The keys that match a pattern, in pages of the server's choice (SCAN).
///
/// A key that exists all the while is seen at least once, maybe twice. A key that is added or removed meanwhile may be
/// seen or not.
package struct RedisScan<Commands: RedisCommands>: AsyncSequence, Sendable {
    fileprivate let commands: Commands
    fileprivate let pattern: String
    fileprivate let pageSize: Int

    /// Starts from the beginning.
    package func makeAsyncIterator() -> Iterator { Iterator(scan: self) }

    /// Asks for the next page when the last one is used up.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let scan: RedisScan
        private var page: [String] = []
        /// nil after the last page.
        private var cursor: String? = "0"

        fileprivate init(scan: RedisScan) {
            self.scan = scan
        }

        /// The next key, or nil after the last.
        package mutating func next() async throws -> String? {
            while page.isEmpty {
                guard let place = cursor else { return nil }
                let request = RedisRequest(RedisCommand("SCAN", place, "MATCH", scan.pattern, "COUNT", scan.pageSize)) {
                    let answer = try $0.array
                    guard answer.count == 2 else {
                        throw RedisError(.unexpectedReply, "expected a cursor and keys, got \(answer.count) values")
                    }
                    return (cursor: try answer[0].text, keys: try answer[1].array.map { try $0.text })
                }
                let answer = try await scan.commands.send(request)
                cursor = answer.cursor == "0" ? nil : answer.cursor
                page = answer.keys.reversed()
            }
            return page.removeLast()
        }
    }
}

extension RedisCommands {
    /// Walks over the keys that match: `for try await key in redis.scan("job:*")`.
    /// - Parameters:
    ///   - pattern: as KEYS takes it: `*`, `?`, `[ab]`.
    ///   - pageSize: how many keys the server looks at in one go.
    package func scan(_ pattern: String, pageSize: Int = 100) -> RedisScan<Self> {
        RedisScan(commands: self, pattern: pattern, pageSize: pageSize)
    }
}
