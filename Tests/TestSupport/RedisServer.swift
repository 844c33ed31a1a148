import FoundationEssentials
import Glibc

/// A real `redis-server` on a free port, without persistence and eviction. It ends when the object is released, and
/// also when the test process is killed: a shell beside it waits for the end of a pipe that only this process holds
/// open.
package final class RedisServer: Sendable {
    /// The failure of a server that did not start or stop, with the shell's message.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// The server that all tests of this process share. Each test uses its own keys, and none flushes it.
    package static func shared() async throws -> RedisServer { try await first.value }

    // A stored task creates the server once and lets many tests await it.
    private static let first = Task { try await RedisServer.start() }

    package let port: Int
    private let directory: TemporaryDirectory
    private let options: [String]
    /// The end of the pipe that this process holds.
    private let lifeline: Int32

    /// The server's URL for TCP, `redis://127.0.0.1:port`.
    package var url: String { "redis://127.0.0.1:\(port)" }
    /// The same server's URL for its Unix socket, `unix:///…/redis.sock`.
    package var socketURL: String { "unix://\(directory.file("redis.sock"))" }

    /// Starts a server of the caller's own, which may be flushed and killed.
    /// - Parameter options: further command line options, such as `--requirepass`.
    package static func start(_ options: [String] = []) async throws -> RedisServer {
        var failure: any Error = Failure(description: "no port is free")
        // Another process may take the port before the server does.
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
        // The pipe is opened for reading and writing, because opening one end would wait for the shell. Children do not
        // inherit it, because they would keep the server alive.
        guard mkfifo(pipe, 0o600) == 0, case let opened = open(pipe, O_RDWR | O_CLOEXEC), opened >= 0 else {
            throw Failure(description: "\(pipe): \(String(cString: strerror(errno)))")
        }
        lifeline = opened
    }

    deinit { close(lifeline) }

    /// Kills the server as a crash would (SIGKILL), and returns when it is gone.
    package func kill() async throws {
        try await shell(
            """
            pid=$(cat pid)
            kill -KILL "$pid"
            until_ended "$pid"
            rm -f pid redis.sock
            """)
    }

    /// Sends the server a signal, such as `STOP`. To end the server, use `kill`. A server that has ended gets no
    /// signal.
    package func signal(_ name: String) async throws {
        if name == "KILL" { return try await kill() }
        try await shell("[ ! -e pid ] || kill -\(name) \"$(cat pid)\"")
    }

    /// Starts the server again after `kill`, empty, on the same port.
    package func restart() async throws { try await launch() }

    /// Sends a command with `redis-cli`, an independent client.
    /// - Returns: the text of the answer, without the line break at its end.
    package func ask(_ arguments: [String]) async throws -> String {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let output = try await shell("redis-cli -p \(port) \(words)")
        return output.hasSuffix("\n") ? String(output.dropLast()) : output
    }

    /// Starts the server and the shell that ends it, and returns when the server answers.
    private func launch() async throws {
        let settings = [
            "--save ''", "--appendonly no", "--maxmemory-policy noeviction", "--bind 127.0.0.1", "--protected-mode no",
        ]
        let words = (settings + options).joined(separator: " ")
        try await shell(
            """
            rm -f log begun
            mkfifo begun
            {
                redis-server --port \(port) --unixsocket "$PWD/redis.sock" \(words) > log 2>&1 &
                server=$!
                echo $server > pid
                echo > begun
                # Reading ends when the test process does.
                { read -r _ < lifeline; touch over; kill -KILL $server; } &
                wait $server
                # A server that was killed may be started again: its number must not be killed a second time.
                kill $!
                [ -e over ] && cd / && rm -rf '\(directory.path)'
            } > /dev/null 2>&1 < /dev/null &
            read -r _ < begun
            # The server logs this line, or ends because another program has the port; tail ends with it.
            tail -n +1 -F --pid="$(cat pid)" log 2> /dev/null | grep -q -m 1 'Ready to accept connections' && exit 0
            cat log >&2
            exit 1
            """)
    }

    @discardableResult
    private func shell(_ script: String) async throws -> String {
        let outcome = try await ShellTool.run("\(ProcessEnd.function)cd '\(directory.path)' || exit 1\n\(script)")
        guard outcome.status == 0 else { throw Failure(description: "redis-server on port \(port): \(outcome.errors)") }
        return outcome.output
    }

    /// A TCP port that is free.
    package static func freePort() throws -> Int {
        let (descriptor, port) = try boundSocket()
        close(descriptor)
        return port
    }

    /// A TCP socket on a port of its own, for servers that a test simulates. The caller closes it.
    package static func boundSocket() throws -> (descriptor: Int32, port: Int) {
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
