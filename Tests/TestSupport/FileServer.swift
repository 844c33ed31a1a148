import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// Python's own HTTP server with the files of a directory, on this machine. It answers `If-Modified-Since`, knows no
/// ranges, and ends with the test process.
package final class FileServer: Sendable {
    /// The address of the directory, without a slash at its end.
    package let address: String
    private let log: String
    /// The end of a pipe, which the server reads until it is closed.
    private let lifeline: Int32

    package init(_ directory: String) async throws {
        let (ending, held) = try FileDescriptor.pipe()
        for descriptor in [ending, held] { _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
        lifeline = held.rawValue
        log = "/tmp/file-server-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).log"
        let port = try RedisServer.freePort()
        address = "http://127.0.0.1:\(port)"
        let arguments = ["-c", FileServer.script, directory, "\(port)", log]
        Task.detached {
            _ = try await Subprocess.run(
                .path("/usr/bin/python3"), arguments: Arguments(arguments),
                input: .fileDescriptor(ending, closeAfterSpawningProcess: true), output: .discarded, error: .discarded)
        }
        // It may not start at all: the test then fails with its first request.
        for _ in 0..<20_000 where !FileManager.default.fileExists(atPath: log) { try await nextLook() }
    }

    deinit {
        close(lifeline)
        unlink(log)
    }

    /// The requests so far, as `GET /sea.mov 200`.
    package var requests: [String] {
        let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static let script = """
        import functools, http.server, os, sys, threading
        directory, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_request(self, code, size=None):
                with open(path, "a") as log:
                    log.write(f"{self.command} {self.path} {int(code)}\\n")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=directory))
        open(path, "w").close()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        os._exit(0)
        """
}
