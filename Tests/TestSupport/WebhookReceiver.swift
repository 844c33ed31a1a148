import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// A receiver of webhooks that is not ours: Python's own HTTP server, which checks signatures with Python's `hmac`. The
/// path of a request says how it is answered. It ends with the test process.
///
/// - `/ok`: 200
/// - `/status/500/2`: the first two requests of each message get 500, the others 200; `/status/410` gets 410 always
/// - `/later/503/1`: the same with `Retry-After: 1`
/// - `/hang/1`: the first request of all gets no answer, the others 200
/// - `/dying/1/a`: the first request of all to this path gets 500, the others no answer
/// - `/moved`: a redirect to `/ok`
package final class WebhookReceiver: Sendable {
    /// What a receiver has got.
    package struct Received: Decodable, Sendable {
        package var path: String
        package var id: String
        /// How many signatures the request has, and how many of them one of the secrets has made.
        package var signatures: Int
        package var valid: Int
        /// Whether the time of the request is within a minute of the receiver's.
        package var isRecent: Bool
        package var type: String
        package var export: String?
        package var progress: Int?
        /// The status of the answer; 0 where there is none.
        package var status: Int
        package var body: String
    }

    package let port: Int
    package var address: String { "http://127.0.0.1:\(port)" }
    private let log: String
    private let directory: TemporaryDirectory
    /// The end of a pipe, which the server reads until it is closed.
    private let lifeline: Int32

    /// - Parameters:
    ///   - secrets: `whsec_...`, those that the receiver accepts.
    ///   - port: nil for a free one.
    ///   - log: the file that it adds its requests to; nil for a new one.
    package init(secrets: [String], port: Int? = nil, log: String? = nil) async throws {
        let (ending, held) = try FileDescriptor.pipe()
        for descriptor in [ending, held] { _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
        lifeline = held.rawValue
        directory = try TemporaryDirectory()
        self.log = log ?? directory.file("requests")
        let port = try port ?? RedisServer.freePort()
        self.port = port
        let started = self.log + ".started"
        unlink(started)
        let arguments = ["-c", WebhookReceiver.script, "\(port)", self.log, started] + secrets
        Task.detached {
            _ = try await Subprocess.run(
                .path("/usr/bin/python3"), arguments: Arguments(arguments),
                input: .fileDescriptor(ending, closeAfterSpawningProcess: true), output: .discarded, error: .discarded)
        }
        while !FileManager.default.fileExists(atPath: started) { try await nextLook() }
        unlink(started)
    }

    deinit { close(lifeline) }

    /// All requests so far.
    package var received: [Received] {
        get throws {
            guard let data = FileManager.default.contents(atPath: log) else { return [] }
            return try String(decoding: data, as: UTF8.self).split(separator: "\n").map {
                try JSONDecoder().decode(Received.self, from: Data($0.utf8))
            }
        }
    }

    /// Waits until a condition is true of all requests so far; the test's time limit ends the wait.
    package func eventually(_ isTrue: ([Received]) -> Bool) async throws {
        while try !isTrue(received) { try await nextLook() }
    }

    private static let script = """
        import base64, hashlib, hmac, http.server, json, os, sys, threading, time
        port, path, started, secrets = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
        keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
        lock, counts = threading.Lock(), {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                message, stamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
                signed = f"{message}.{stamp}.".encode() + body
                expected = ["v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys]
                signatures = self.headers["webhook-signature"].split(" ")
                valid = sum(any(hmac.compare_digest(one, other) for other in expected) for one in signatures)
                content = json.loads(body)
                export = content["data"].get("export") or {}
                parts = self.path.strip("/").split("/")
                key = self.path if parts[0] in ("hang", "dying") else self.path + message
                with lock: counts[key] = counts.get(key, 0) + 1
                status, number = 200, counts[key]
                if parts[0] in ("status", "later") and (len(parts) < 3 or number <= int(parts[2])): status = int(parts[1])
                if parts[0] == "hang" and number <= int(parts[1]): status = 0
                if parts[0] == "dying": status = 500 if number <= int(parts[1]) else 0
                if parts[0] == "moved": status = 302
                with lock, open(path, "a") as log:
                    log.write(json.dumps({
                        "path": self.path, "id": message, "signatures": len(signatures), "valid": valid, "status": status,
                        "isRecent": abs(time.time() - int(stamp)) < 60, "type": content["type"], "export": export.get("id"),
                        "progress": export.get("progress"), "body": body.decode()}) + "\\n")
                if status == 0:
                    self.connection.recv(1)
                    self.close_connection = True
                    return
                self.send_response(status)
                if parts[0] == "later": self.send_header("Retry-After", "1")
                if parts[0] == "moved": self.send_header("Location", "/ok")
                answer = b"" if status == 200 else b"as a test asked"
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

        server = Server(("127.0.0.1", port), Handler)
        open(started, "w").close()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        os._exit(0)
        """
}
