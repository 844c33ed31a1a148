import ArtifactStore
import BlockingWork
import FoundationEssentials
import Glibc
package import S3Store
import Subprocess
import Synchronization
import SystemPackage

/// Moto, a server with the interface of S3 that is not ours, with one bucket. Amazon's own library checks the signature of
/// every request before it, and it answers with a fault where a test asks for one. It ends with the test process.
package final class MotoServer: Sendable {
    package static let absence = "no S3 server: scripts/install-test-tools installs moto"
    package static let bucket = "films"

    /// The server that all tests of this process share. Each test uses its own prefix.
    package static func shared() async throws -> MotoServer { try await first.value }

    // A stored task starts the server once and lets many tests await it.
    private static let first = Task { try await MotoServer() }

    /// Python with moto; nil where it is not installed.
    package static let python: String? = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let tools = root.path + "/.build/test-tools"
        return FileManager.default.fileExists(atPath: tools + "/moto-version") ? tools + "/bin/python3" : nil
    }()

    package static var isInstalled: Bool { python != nil }

    package let endpoint: String
    package let credentials: S3Credentials
    /// The end of a pipe, which the server reads until this process ends.
    private let lifeline: Int32

    private init() async throws {
        let (output, input) = try FileDescriptor.pipe()
        let (ending, held) = try FileDescriptor.pipe()
        // Children of other tests must not hold the pipe open.
        for descriptor in [output, input, ending, held] { _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
        lifeline = held.rawValue
        let python = MotoServer.python ?? ""
        Task.detached {
            _ = try await Subprocess.run(
                .path(FilePath(python)), arguments: ["-c", MotoServer.script, MotoServer.bucket],
                input: .fileDescriptor(ending, closeAfterSpawningProcess: true),
                output: .fileDescriptor(input, closeAfterSpawningProcess: true), error: .discarded)
        }
        let line = try await MotoServer.line(of: output)
        let start = try JSONDecoder().decode(Start.self, from: Data(line.utf8))
        endpoint = "http://127.0.0.1:\(start.port)"
        credentials = S3Credentials(accessKey: start.accessKey, secretKey: start.secretKey)
    }

    private struct Start: Decodable {
        var port: Int
        var accessKey: String
        var secretKey: String
    }

    /// Reads the first line of what the server prints, without holding up a thread of the tasks.
    private static func line(of output: FileDescriptor) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detach {
                var bytes: [UInt8] = []
                var byte: UInt8 = 0
                while read(output.rawValue, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// A store with a prefix of its own.
    /// - Parameters:
    ///   - credentials: nil for those that the server accepts.
    ///   - silence: long, because a busy machine may be silent, too.
    package func store(
        part: Int64 = 5 << 20, copy: Int64 = 5 << 30, bucket: String = MotoServer.bucket, credentials: S3Credentials? = nil,
        attempts: Int = 4, silence: Duration = .seconds(60)
    ) throws -> S3Blobs {
        let (sizes, retries) = (MotoServer.sizes(part: part, copy: copy), MotoServer.retries(attempts))
        return S3Blobs(
            try S3Settings("s3://\(bucket)/test-\(UUID().uuidString)", endpoint: endpoint),
            .fixed(credentials ?? self.credentials), silence: silence, sizes: sizes, retries: retries)
    }

    /// The same store for a client without keys.
    package func store(of other: S3Blobs, signer: any S3Signer) -> S3Blobs {
        S3Blobs(
            other.settings, signer: signer, silence: .seconds(60), sizes: MotoServer.sizes(part: 5 << 20, copy: 5 << 30),
            retries: MotoServer.retries(4))
    }

    private static func sizes(part: Int64, copy: Int64) -> S3Blobs.Sizes {
        var sizes = S3Blobs.Sizes()
        sizes.part = part
        sizes.copy = copy
        return sizes
    }

    private static func retries(_ attempts: Int) -> S3Retries {
        var retries = S3Retries()
        retries.attempts = attempts
        retries.backoff.first = .milliseconds(5)
        return retries
    }

    /// What the server does instead of answering as it should.
    package enum Fault: String, CaseIterable {
        /// Answers with a status and an error document, as S3 does.
        case error500, slowDown503
        /// Cuts the connection: after half of the answer's body, or without an answer.
        case reset, silentEnd
        /// Sends half of the answer's body, and then nothing.
        case stall
        /// Changes a byte of the answer's body.
        case flip
        /// Carries the request out, and cuts the connection without an answer.
        case lostAnswer
    }

    /// Lets requests of a store fail.
    /// - Parameters:
    ///   - method: only requests of this method.
    ///   - count: how many.
    package func fail(_ store: S3Blobs, _ fault: Fault, method: String, count: Int = 1) async throws {
        let script = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], sys.argv[2].encode()).read()"
        let plan = "\(store.settings.prefix) \(fault.rawValue) \(method) \(count)"
        _ = try await PythonTool.run(script, ["\(endpoint)/.fault", plan])
    }

    /// Moto, behind a filter that injects faults into requests whose path begins with a prefix.
    private static let script = """
        import datetime, json, os, re, socket, sys, threading
        from urllib.parse import parse_qsl
        from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        from moto.s3.models import s3_backends
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server
        keys = {"AKIATEST": "secret/of+a=test"}
        s3_backends["123456789012"]["aws"].create_bucket(sys.argv[1], "us-east-1")
        moto = DomainDispatcherApplication(create_backend_app)
        faults, ended, lock = [], set(), threading.Lock()

        def take(environ):
            with lock:
                for fault in faults:
                    place = environ["PATH_INFO"] + "?" + environ.get("QUERY_STRING", "").replace("%2F", "/")
                    if fault["prefix"] in place and fault["method"] == environ["REQUEST_METHOD"]:
                        fault["count"] -= 1
                        if fault["count"] == 0: faults.remove(fault)
                        return fault["kind"]

        def cut(environ):
            try: environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            except OSError: pass
            raise ConnectionError("cut by a test")

        # The request has been read, so what comes next from the client is the end of the connection.
        def wait_for_client(environ):
            environ["werkzeug.socket"].recv(1, socket.MSG_PEEK)
            cut(environ)

        # The query without the signature of the address.
        def plain_query(environ):
            return "&".join(part for part in environ.get("QUERY_STRING", "").split("&") if not part.startswith("X-Amz-"))

        def header(environ, name):
            name = name.upper().replace("-", "_")
            return environ.get(name) or environ.get("HTTP_" + name) or ""

        # A request whose address carries the signature, which has to cover all headers of the service.
        def address_complaint(environ):
            path, _, query = environ["REQUEST_URI"].partition("?")
            values = dict(parse_qsl(query, keep_blank_values=True))
            key, _, region, *_ = values["X-Amz-Credential"].split("/")
            if key not in keys: return "InvalidAccessKeyId"
            names = values["X-Amz-SignedHeaders"].split(";")
            own = [name[5:].lower().replace("_", "-") for name in environ if name.startswith("HTTP_X_AMZ_")]
            begun = datetime.datetime.strptime(values["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
            age = (datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None) - begun).total_seconds()
            if age > int(values["X-Amz-Expires"]) or set(own) - set(names): return "AccessDenied"
            rest = "&".join(part for part in query.split("&") if not part.startswith("X-Amz-Signature="))
            request = AWSRequest(
                environ["REQUEST_METHOD"], f"http://{environ['HTTP_HOST']}{path}?{rest}",
                headers={name: header(environ, name) for name in names if name != "host"})
            request.context["timestamp"] = values["X-Amz-Date"]
            signer = S3SigV4QueryAuth(Credentials(key, keys[key]), "s3", region)
            text = signer.string_to_sign(request, signer.canonical_request(request))
            return None if signer.signature(text, request) == values["X-Amz-Signature"] else "SignatureDoesNotMatch"

        # Moto checks signatures over names that it has decoded, and refuses Amazon's own client where they are escaped.
        def complaint(environ):
            if "X-Amz-Signature=" in environ.get("QUERY_STRING", ""): return address_complaint(environ)
            given = re.fullmatch(
                r"AWS4-HMAC-SHA256 Credential=([^/]+)/\\d+/([^/]+)/s3/aws4_request, *SignedHeaders=([^,]+), *Signature=(.+)",
                environ.get("HTTP_AUTHORIZATION", ""))
            if given is None: return "AccessDenied"
            key, region, names, signature = given.groups()
            if key not in keys: return "InvalidAccessKeyId"
            headers = {name: header(environ, name) for name in names.split(";")}
            request = AWSRequest(
                environ["REQUEST_METHOD"], f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}", headers=headers)
            request.context["timestamp"] = headers["x-amz-date"]
            signer = S3SigV4Auth(Credentials(key, keys[key]), "s3", region)
            text = signer.string_to_sign(request, signer.canonical_request(request))
            return None if signer.signature(text, request) == signature else "SignatureDoesNotMatch"

        def refuse(environ, start, status, code):
            size = int(environ.get("CONTENT_LENGTH") or 0)
            while size > 0: size -= len(environ["wsgi.input"].read(min(size, 1 << 20)))
            body = f"<Error><Code>{code}</Code><Message>as a test asked</Message></Error>".encode()
            start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body))), ("Retry-After", "0")])
            return [body]

        def application(environ, start):
            if environ["PATH_INFO"] == "/.fault":
                prefix, kind, method, count = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode().split()
                with lock: faults.append({"prefix": prefix, "kind": kind, "method": method, "count": int(count)})
                start("200 OK", [("Content-Length", "0")])
                return []
            code = complaint(environ)
            if code: return refuse(environ, start, "403 Forbidden", code)
            # Moto takes the end of an upload twice; S3 does not know it any more.
            upload = environ["REQUEST_METHOD"] + plain_query(environ)
            if upload in ended: return refuse(environ, start, "404 Not Found", "NoSuchUpload")
            kind = take(environ)
            if kind == "lostAnswer" and upload.startswith("POSTuploadId="): ended.add(upload)
            if kind == "error500": return refuse(environ, start, "500 Internal Server Error", "InternalError")
            if kind == "slowDown503": return refuse(environ, start, "503 Slow Down", "SlowDown")
            if kind == "silentEnd": cut(environ)
            if kind is None: return moto(environ, start)
            head = []
            body = b"".join(moto(environ, lambda status, headers, error=None: head.append((status, headers))))
            if kind == "lostAnswer": cut(environ)
            if kind == "stall" and environ["REQUEST_METHOD"] == "PUT": wait_for_client(environ)
            start(*head[0])
            if kind == "flip": return [bytes([body[0] ^ 1]) + body[1:]]
            def half():
                yield body[:len(body) // 2]
                if kind == "reset": cut(environ)
                wait_for_client(environ)
            return half()

        class Handler(WSGIRequestHandler):
            protocol_version = "HTTP/1.1"
            def log(self, *arguments): pass

        server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        key, secret = next(iter(keys.items()))
        print(json.dumps({"port": server.server_port, "accessKey": key, "secretKey": secret}), flush=True)
        sys.stdin.read()
        os._exit(0)
        """
}

/// Runs work on a thread of its own.
private enum Thread {
    static func detach(_ work: @escaping @Sendable () -> Void) {
        final class Box { let work: @Sendable () -> Void; init(_ work: @escaping @Sendable () -> Void) { self.work = work } }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(work)).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, box)
        pthread_detach(thread)
    }
}
