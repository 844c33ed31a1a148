import TestSupport
import Glibc

/// A port where something other than Redis answers.
final class ForeignServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
        (listener, port) = try RedisServer.boundSocket()
        guard listen(listener, 8) == 0, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else {
            throw RedisServer.Failure(description: "cannot listen on \(port)")
        }
    }

    deinit { close(listener) }

    /// Waits for a client to connect.
    func accepted() async throws -> Caller {
        var caller: Int32 = -1
        try await until {
            caller = accept(listener, nil, nil)
            return caller >= 0
        }
        return Caller(caller)
    }

    /// A connection, which closes when it is released.
    final class Caller: Sendable {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        func say(_ words: String) { _ = write(descriptor, words, words.utf8.count) }
    }
}
