#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A real `redis-server` on a free port, with nothing saved and nothing evicted. It ends when it is let go of, and also when
/// the test process is killed: a shell beside it waits for the end of a pipe that only this process holds open.
public final class RedisServer: Sendable {
    /// A server that did not start or stop, with the shell's words.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// The one that all tests of this process share: each keeps to keys of its own, and none flushes it.
    public static func shared() async throws -> RedisServer { try await first.value }

    // A stored task is how a value is made once and awaited by many; it ends by itself.
    private static let first = Task { try await RedisServer.start() }

    public let port: Int
    private let directory: TemporaryDirectory
    private let options: [String]
    /// This process's end of the pipe.
    private let lifeline: Int32

    /// `redis://127.0.0.1:port`.
    public var url: String { "redis://127.0.0.1:\(port)" }
    /// `unix:///…/redis.sock`: the same server.
    public var socketURL: String { "unix://\(directory.file("redis.sock"))" }

    /// A server of the caller's own, which may be flushed and killed.
    /// - Parameter options: further ones, such as `--requirepass`.
    public static func start(_ options: [String] = []) async throws -> RedisServer {
        var failure: any Error = Failure(description: "no port is free")
        // Somebody else may take a port between our finding it and the server's.
        for _ in 0..<5 {
            do {
                let server = try RedisServer(port: try freePort(), options)
                try await server.launch()
                return server
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private init(port: Int, _ options: [String]) throws {
        self.port = port
        self.options = options
        directory = try TemporaryDirectory()
        let pipe = directory.file("lifeline")
        // Open for both ends, or it would wait for the shell; not for children, who would keep the server alive.
        guard mkfifo(pipe, 0o600) == 0, case let opened = open(pipe, O_RDWR | O_CLOEXEC), opened >= 0 else {
            throw Failure(description: "\(pipe): \(String(cString: strerror(errno)))")
        }
        lifeline = opened
    }

    deinit { close(lifeline) }

    /// Ends it as a crash would (SIGKILL), and returns when it is gone.
    public func kill() async throws {
        try await shell(
            """
            pid=$(cat pid)
            kill -KILL "$pid"
            while kill -0 "$pid" 2> /dev/null; do sleep 0.01; done
            rm -f pid redis.sock
            """)
    }

    /// Sends the server a signal, such as `STOP`; one that ends it is `kill`'s business, and a server that has ended gets none.
    public func signal(_ name: String) async throws {
        if name == "KILL" { return try await kill() }
        try await shell("[ ! -e pid ] || kill -\(name) \"$(cat pid)\"")
    }

    /// Starts it again after `kill`, empty, on the same port.
    public func restart() async throws { try await launch() }

    /// Asks the server by `redis-cli`, an independent witness.
    /// - Returns: its answer's text, without the line's end.
    public func ask(_ arguments: [String]) async throws -> String {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let output = try await shell("redis-cli -p \(port) \(words)")
        return output.hasSuffix("\n") ? String(output.dropLast()) : output
    }

    /// Starts the server and its guardian, and returns when it answers.
    private func launch() async throws {
        let settings = [
            "--save ''", "--appendonly no", "--maxmemory-policy noeviction", "--bind 127.0.0.1", "--protected-mode no",
        ]
        let words = (settings + options).joined(separator: " ")
        try await shell(
            """
            {
                redis-server --port \(port) --unixsocket "$PWD/redis.sock" \(words) > log 2>&1 &
                server=$!
                echo $server > pid.new && mv pid.new pid
                # Reading ends when the test process does.
                { read -r _ < lifeline; touch over; kill -KILL $server; } &
                wait $server
                # A server that was killed may be started again: its number must not be killed a second time.
                kill $!
                [ -e over ] && cd / && rm -rf '\(directory.path)'
            } > /dev/null 2>&1 < /dev/null &
            until [ -e pid ]; do sleep 0.01; done
            for _ in {1..1000}; do
                # It has a socket of its own by then, which nobody else could have.
                redis-cli -s redis.sock ping 2>&1 | grep -qE 'PONG|NOAUTH' && exit 0
                kill -0 "$(cat pid)" 2> /dev/null || break
                sleep 0.01
            done
            cat log >&2
            exit 1
            """)
    }

    @discardableResult
    private func shell(_ script: String) async throws -> String {
        let outcome = try await ShellTool.run("cd '\(directory.path)' || exit 1\n\(script)")
        guard outcome.status == 0 else { throw Failure(description: "redis-server on port \(port): \(outcome.errors)") }
        return outcome.output
    }

    /// A port on which nobody listens.
    public static func freePort() throws -> Int {
        let (descriptor, port) = try boundSocket()
        close(descriptor)
        return port
    }

    /// A TCP socket on a port of its own, for servers that a test plays itself; the caller's to close.
    public static func boundSocket() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
            }
        }
        guard code == 0 else { throw Failure(description: "no free port: \(String(cString: strerror(errno)))") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
