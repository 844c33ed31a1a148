import ContentHashing
import Coordinator
import Deliveries
import ExactTime
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import S3Store
import Synchronization
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("The publisher of films", .timeLimit(.minutes(2)))
struct FilmPublisherTests {
    @Test("A film appears in a directory, whole, with its manifest, under a name that stays inside")
    func directory() async throws {
        let farm = try await PublisherFixture()
        let root = farm.directory.file("films")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        let file = #"[{"name":"nas","directory":"\#(root)","key":"{tenant}/{label}-{number}.{extension}","manifest":true}]"#
        try await farm.publishing(file) {
            let id = try await farm.completed("../../etc/passwd", destination: "nas")
            let publication = try await farm.until(id) { $0.state == .published }
            let path = "\(root)/studio/etc-passwd-1.mp4"
            #expect(publication.files.map(\.address) == [path, path + ".json"])
            #expect(FileManager.default.contents(atPath: path).map { Array($0) } == farm.film)
            #expect(publication.files.first?.sha256 == ContentHash.of(farm.film))
            #expect(publication.files.first?.byteCount == Int64(farm.film.count))
            let manifest = try #require(FileManager.default.contents(atPath: path + ".json"))
            let content = try FarmJSON.decode(Manifest.self, from: manifest)
            #expect(content.export == id && content.label == "../../etc/passwd" && content.mediaType == "video/mp4")
            #expect(content.film == publication.files.first && content.frameCount == 30)
            let names = try FileManager.default.contentsOfDirectory(atPath: root + "/studio").sorted()
            #expect(names == ["etc-passwd-1.mp4", "etc-passwd-1.mp4.json"], "nothing is left behind")
        }
    }

    @Test("The pictures beside a film are sent before it, under its name, and the manifest lists them")
    func pictures() async throws {
        let farm = try await PublisherFixture()
        let root = farm.directory.file("films")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        let index = SpriteIndex(interval: Rational(5), duration: MediaTime(seconds: 8), width: 160, height: 90)
        let pictures = FilmPictures(
            poster: ArtifactKey("poster"), sprites: FilmPictures.Sprites(sheets: [ArtifactKey("sheet")], index))
        for (key, stem) in [("{label}/{number}.{extension}", "film/1"), ("{label} {number}", "film 2")] {
            let file = #"[{"name":"nas","directory":"\#(root)","key":"\#(key)","manifest":true}]"#
            try await farm.publishing(file) {
                let id = try await farm.completed(destination: "nas", pictures: pictures)
                let publication = try await farm.until(id) { $0.state == .published }
                let film = "\(root)/" + stem + (stem.contains("/") ? ".mp4" : "")
                let beside = ["poster.jpg", "sprites-1.jpg", "sprites.vtt"].map { "\(root)/\(stem).\($0)" }
                #expect(publication.files.map(\.address) == [film] + beside + [film + ".json"])
                let text = String(decoding: try #require(FileManager.default.contents(atPath: beside[2])), as: UTF8.self)
                #expect(text.contains(stem.contains("/") ? "\n1.sprites-1.jpg#xywh" : "\nfilm%202.sprites-1.jpg#xywh"))
                #expect(publication.files[3].sha256 == ContentHash.of(text.utf8))
                let manifest = try #require(FileManager.default.contents(atPath: film + ".json"))
                #expect(try FarmJSON.decode(Manifest.self, from: manifest).pictures?.map(\.address) == beside)
            }
        }
    }

    private struct Manifest: Decodable {
        var pictures: [Publication.File]?
        var export: ExportID
        var label: String
        var frameCount: Int?
        var mediaType: String
        var film: Publication.File
    }

    @Test("A directory that is not there is not created, and the film follows when it is")
    func unmounted() async throws {
        let farm = try await PublisherFixture()
        let root = farm.directory.file("mount")
        try await farm.publishing(#"[{"name":"nas","directory":"\#(root)"}]"#) {
            let id = try await farm.completed(destination: "nas")
            let waiting = try await farm.until(id) { $0.attempts > 1 }
            #expect(waiting.state == .pending)
            #expect(waiting.message == "the directory '\(root)' is not there; mount it, or create it")
            #expect(!FileManager.default.fileExists(atPath: root))
            #expect(await farm.store.export(id, tenant: nil)?.state == .completed)
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
            try await farm.until(id) { $0.state == .published }
        }
    }

    @Test("A film is sent by PUT with its headers, and again after a failure of the server")
    func put() async throws {
        let farm = try await PublisherFixture()
        let got = Mutex<[(path: String, headers: HTTPFields, bytes: Int, hash: String)]>([])
        let failures = Mutex(2)
        let router = Router()
        router.put("/films/**") { request, _ -> Response in
            let body = try await request.body.collect(upTo: 1 << 20)
            let isFailing = failures.withLock { count in
                count -= 1
                return count >= 0
            }
            got.withLock {
                $0.append((request.uri.path, request.headers, body.readableBytes, ContentHash.of(body.readableBytesView)))
            }
            return Response(
                status: isFailing ? .internalServerError : .created, body: ResponseBody(byteBuffer: ByteBuffer(string: "no room"))
            )
        }
        try await serving(router) { port in
            let file = """
                [{"name":"cms","put":{"address":"http://127.0.0.1:\(port)/films/","headers":{"Authorization":"Bearer hush"}},
                  "key":"{label} {export}.{extension}","cacheControl":"max-age=60","contentType":"video/x-test","manifest":true}]
                """
            try await farm.publishing(file) {
                let id = try await farm.completed("Größe", destination: "cms")
                let publication = try await farm.until(id) { $0.state == .published }
                #expect(publication.attempts == 3 && publication.message == nil)
                let base = "http://127.0.0.1:\(port)/films/Gr%C3%B6%C3%9Fe%20\(id).mp4"
                #expect(publication.files.map(\.address) == [base, base + ".json"])
            }
        }
        let requests = got.withLock { $0 }
        #expect(requests.count == 4)
        let film = requests[2]
        #expect(film.bytes == farm.film.count && film.hash == ContentHash.of(farm.film))
        #expect(film.headers[.authorization] == "Bearer hush" && film.headers[.cacheControl] == "max-age=60")
        #expect(film.headers[.contentType] == "video/x-test" && requests[3].headers[.contentType] == "application/json")
    }

    @Test("A redirect of the server is not followed, and the record has its answer")
    func redirected() async throws {
        let farm = try await PublisherFixture()
        let router = Router()
        router.put("/films/**") { _, _ -> Response in
            Response(status: .movedPermanently, body: ResponseBody(byteBuffer: ByteBuffer(string: "moved")))
        }
        try await serving(router) { port in
            try await farm.publishing(#"[{"name":"cms","put":{"address":"http://127.0.0.1:\#(port)/films/"}}]"#) {
                let id = try await farm.completed(destination: "cms")
                let publication = try await farm.until(id) { $0.attempts > 0 }
                #expect(publication.message == "the server answered 301: moved (redirects are not followed)")
            }
        }
    }

    @Test("A private address is not connected to, and the record says why")
    func privateAddress() async throws {
        let farm = try await PublisherFixture()
        try await farm.publishing(#"[{"name":"cms","put":{"address":"http://127.0.0.1:9/films/"}}]"#, networks: []) {
            let id = try await farm.completed(destination: "cms")
            let publication = try await farm.until(id) { $0.attempts > 0 }
            #expect(publication.message?.hasPrefix("the film could not be sent: ") == true)
            #expect(publication.message?.contains("is not a public address") == true)
        }
    }

    @Test("A destination that the operator has removed is waited for; after the limit the film is not sent any more")
    func removed() async throws {
        let farm = try await PublisherFixture()
        var policy = PublisherFixture.quick
        policy.failureLimit = 0
        let id = try await farm.completed(destination: "nas")
        try await farm.publishing("[]") { try await farm.until(id) { $0.attempts > 1 && $0.state == .pending } }
        try await farm.publishing("[]", policy: policy) {
            let publication = try await farm.until(id) { $0.state == .failed }
            #expect(publication.message?.contains("no destination") == true)
        }
        // Asked for again, with the destination there, it goes.
        let root = farm.directory.path
        #expect(await farm.store.republish(id, tenant: nil))
        try await farm.publishing(#"[{"name":"nas","directory":"\#(root)"}]"#) {
            try await farm.until(id) { $0.state == .published && $0.attempts == 1 }
        }
    }

    @Test("A film that is gone from the farm's store fails at once")
    func gone() async throws {
        let farm = try await PublisherFixture()
        try await farm.publishing(#"[{"name":"nas","directory":"/tmp"}]"#, isThere: false) {
            let id = try await farm.completed(destination: "nas")
            let publication = try await farm.until(id) { $0.state == .failed }
            #expect(publication.attempts == 1)
            let message = "the film is no longer in the farm's store; rerun the export to have it again"
            #expect(publication.message == message)
            #expect(farm.log.messages == ["the film is not sent: \(message)"])
        }
    }

    @Test("A picture that is gone from the farm's store fails at once")
    func goneBeside() async throws {
        let farm = try await PublisherFixture()
        let poster = ArtifactKey("poster")
        try await farm.publishing(#"[{"name":"nas","directory":"\#(farm.directory.path)"}]"#, missing: poster) {
            let id = try await farm.completed(destination: "nas", pictures: FilmPictures(poster: poster))
            let publication = try await farm.until(id) { $0.state == .failed }
            #expect(publication.attempts == 1)
            #expect(
                publication.message
                    == "a picture beside the film is no longer in the farm's store; rerun the export to have it again")
        }
    }

    @Test(
        "A film that cannot be read is retried, and the record says why",
        // A directory of /proc has a size of 0, so that it is noticed only when its bytes are hashed.
        arguments: [("/proc/no-such-film", "No such file or directory"), ("/proc/sys", "Is a directory")])
    func unreadable(_ film: String, _ reason: String) async throws {
        let farm = try await PublisherFixture()
        try await farm.publishing(#"[{"name":"nas","directory":"\#(farm.directory.path)"}]"#, film: film) {
            let id = try await farm.completed(destination: "nas")
            let publication = try await farm.until(id) { $0.attempts > 0 }
            #expect(publication.state == .pending)
            #expect(publication.message == "the film cannot be read from the farm's store: \(reason)")
        }
    }

    @Test("A name that is too long for the key of an object is refused with the remedy")
    func longKey() async throws {
        let farm = try await PublisherFixture()
        let name = String(repeating: "x", count: 250)
        let file = """
            [{"name":"archive","key":"\(name){number}",
              "bucket":{"address":"s3://films","endpoint":"http://127.0.0.1:9","accessKey":"a","secretKey":"s"}}]
            """
        try await farm.publishing(file) {
            let id = try await farm.completed(destination: "archive")
            let publication = try await farm.until(id) { $0.attempts > 0 }
            #expect(publication.state == .pending)
            #expect(
                publication.message
                    == "'\(name)1' cannot be the key of an object; change the template of the destination")
        }
    }

    @Test("A film is stored in a bucket with type, cache header and metadata", .enabled(if: MotoServer.isInstalled))
    func bucket() async throws {
        // More than one part, so that it is uploaded in parts.
        let farm = try await PublisherFixture(bytes: 17 << 20)
        let moto = try await MotoServer.shared()
        let prefix = "published-\(UInt32.random(in: 0...UInt32.max))"
        let file = """
            [{"name":"archive","bucket":{"address":"s3://\(MotoServer.bucket)/\(prefix)","endpoint":"\(moto.endpoint)",
              "accessKey":"\(moto.credentials.accessKey)","secretKey":"\(moto.credentials.secretKey)"},
              "key":"{tenant}/{label}/{export}.{extension}","cacheControl":"max-age=31536000",
              "metadata":{"export":"{export}","label":"{label}"},"manifest":true}]
            """
        try await farm.publishing(file) {
            let id = try await farm.completed("a+b ü", destination: "archive")
            let publication = try await farm.until(id) { $0.state == .published || $0.attempts > 3 }
            #expect(publication.message == nil)
            let key = "\(prefix)/studio/a-b-ü/\(id).mp4"
            #expect(publication.files.first?.address == "s3://\(MotoServer.bucket)/\(key)")
            let head = try await look(moto, key)
            #expect(head.contains("video/mp4|max-age=31536000|\(id)|a-b--|\(ContentHash.of(farm.film))"), "\(head)")
            #expect(try await look(moto, key + ".json").hasPrefix("application/json|max-age=31536000"))
        }
    }

    /// What Amazon's own library says about an object: type, cache header, two of its metadata, and the sha256.
    private func look(_ moto: MotoServer, _ key: String) async throws -> String {
        let script = """
            import boto3, hashlib, sys
            endpoint, bucket, key, access, secret = sys.argv[1:]
            s3 = boto3.client("s3", endpoint_url=endpoint, aws_access_key_id=access, aws_secret_access_key=secret,
                              region_name="us-east-1")
            found = s3.get_object(Bucket=bucket, Key=key)
            print("|".join([found["ContentType"], found["CacheControl"], found["Metadata"].get("export", ""),
                            found["Metadata"].get("label", ""), hashlib.sha256(found["Body"].read()).hexdigest()]), end="")
            """
        let file = try TemporaryDirectory()
        let path = file.file("look.py")
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        let words = [moto.endpoint, MotoServer.bucket, key, moto.credentials.accessKey, moto.credentials.secretKey]
        let outcome = try await ShellTool.run(
            "'\(MotoServer.python ?? "")' '\(path)' " + words.map { "'\($0)'" }.joined(separator: " "))
        return outcome.output + outcome.errors
    }
}
