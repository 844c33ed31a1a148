/// The keys that match a pattern, page by page from the server's own pace (SCAN).
///
/// A key that is there all the while is seen at least once, maybe twice; one that comes or goes meanwhile, maybe.
public struct RedisScan<Commands: RedisCommands>: AsyncSequence, Sendable {
    fileprivate let commands: Commands
    fileprivate let pattern: String
    fileprivate let pageSize: Int

    /// Starts from the beginning.
    public func makeAsyncIterator() -> Iterator { Iterator(scan: self) }

    /// Asks for the next page when the last one is used up.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let scan: RedisScan
        private var page: [String] = []
        /// nil after the last page.
        private var cursor: String? = "0"

        fileprivate init(scan: RedisScan) {
            self.scan = scan
        }

        /// The next key, or nil after the last.
        public mutating func next() async throws -> String? {
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
    public func scan(_ pattern: String, pageSize: Int = 100) -> RedisScan<Self> {
        RedisScan(commands: self, pattern: pattern, pageSize: pageSize)
    }
}
