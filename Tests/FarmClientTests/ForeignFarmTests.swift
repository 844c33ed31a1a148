import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// Commands at a server whose answers no farm of this version gives, or gives only for a moment.
@Suite("Commands at a farm with other answers")
struct ForeignFarmTests {
    private func spool(_ address: String, _ arguments: String...) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(arguments + ["--server", address, "--token", "t"])
    }

    @Test("A film of a batch whose name leads out of the folder is not fetched, and the message says how to")
    func outside() async throws {
        let batch = Batch(
            id: BatchID(), number: 1, tenant: 1, label: "", pool: "default", state: .completed, createdAt: Date(),
            progress: BatchProgress(rows: 1))
        let row = BatchResult(row: 1, state: .completed, output: "../film.mp4", export: ExportID(), values: [:])
        let text = try BatchManifest.opening(batch) + BatchManifest.json(row) + BatchManifest.closing
        let manifest = ForeignFarm.Answer(body: Array(text.utf8))
        let directory = try TemporaryDirectory()
        try await ForeignFarm.serve({ _ in manifest }) { address in
            let outcome = try await spool(address, "batch", "download", batch.id.text, "-o", directory.file("films"))
            #expect(outcome.status == 65)
            #expect(
                outcome.errors
                    == "error: the name '../film.mp4' of a film leads out of the folder; fetch it with 'spool download' "
                    + "under another name\n", "\(outcome.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    /// Films that are unpacked, and what is wrong with them.
    static let films: [(Int32, [UInt8], String)] = [
        (64, Array("no film".utf8), "the film is no archive of pictures or of a stream; name a file with -o"),
        (64, [0, 0, 0, 24] + Array("ftypisom".utf8), "the film is one MP4 file; name a file with -o"),
        (75, FileArchive.header("00001.png", byteCount: 600) + [1, 2, 3], "' ends inside a file; run the command again"),
    ]

    @Test("A film that cannot be unpacked is told with what to do", arguments: films)
    func film(status: Int32, bytes: [UInt8], message: String) async throws {
        let directory = try TemporaryDirectory()
        try await ForeignFarm.serve({ _ in ForeignFarm.Answer(body: bytes) }) { address in
            let outcome = try await spool(address, "download", ExportID().text, "-o", directory.file("%05d.png"))
            #expect(outcome.status == status)
            #expect(outcome.errors.hasPrefix("error: the film") && outcome.errors.hasSuffix("\(message)\n"), "\(outcome.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("A film that cannot be read while it is unpacked is told with what to do")
    func unreadableFilm() async throws {
        let directory = try TemporaryDirectory()
        let storage = try await FaultyStorage(in: directory.path)
        let environment = storage.environment(.inputOutput, on: .read, ofFiles: "\(directory.file("pictures"))|/film$")
            .map { "\($0)='\($1)'" }.joined(separator: " ")
        try await ForeignFarm.serve({ _ in ForeignFarm.Answer(body: FileArchive.end) }) { address in
            let outcome = try await ShellTool.run(
                "\(environment) '\(SpoolTool.executable)' download \(ExportID()) -o '\(directory.file("pictures"))/%05d.png' "
                    + "--server \(address) --token t")
            #expect(outcome.status == 75)
            #expect(
                outcome.errors.hasSuffix("/film' cannot be read completely; run the command again\n"), "\(outcome.errors)")
        }
    }

    /// A delivery of a test that is not sent yet.
    private static let delivery = WebhookDelivery(
        id: 5, webhook: 1, event: .test, export: nil, messageID: "m", state: .pending, createdAt: Date(), dueAt: Date())

    @Test(
        "A test of a webhook that is not sent in a minute, or not listed any more, is told with what to do",
        .timeLimit(.minutes(3)), arguments: [true, false])
    func webhook(isListed: Bool) async throws {
        let delivery = ForeignFarmTests.delivery
        let sent = try ForeignFarm.Answer.json(delivery)
        let listed = try ForeignFarm.Answer.json(Listing(isListed ? [delivery] : [], at: Date()))
        try await ForeignFarm.serve({ $0.hasPrefix("POST ") ? sent : listed }) { address in
            let outcome = try await spool(address, "webhook", "test", "1")
            #expect(outcome.status == 75)
            #expect(
                outcome.errors
                    == (isListed
                        ? "error: delivery 5 is not sent yet; is there a coordinator that leads? 'spool webhook show 1' shows it "
                            + "later\n"
                        : "error: the delivery of the test is not listed any more; run the command again\n"),
                "\(outcome.errors)")
        }
    }

    @Test("A worker refuses a bucket of another kind than this version knows")
    func otherBucket() async throws {
        let report = try ForeignFarm.Answer.json(
            StoreReport(address: "s3://films", region: "us-east-1", endpoint: "http://127.0.0.1:9", style: "round"))
        try await ForeignFarm.serve({ _ in report }) { address in
            let outcome = try await ShellTool.run(
                "SPOOL_TOKEN=t '\(SpoolTool.executable)' worker run --store \(address) --redis-url redis://127.0.0.1:9")
            #expect(outcome.status == 70)
            #expect(
                outcome.errors.hasSuffix(
                    "error: \(address) names a kind of bucket that this version does not know; upgrade spool on this machine\n"),
                "\(outcome.errors)")
        }
    }

    @Test("A worker says which request the coordinator does not sign, and why", .timeLimit(.minutes(2)))
    func unsigned() async throws {
        let directory = try TemporaryDirectory()
        let redis = try await RedisServer.shared()
        let report = try ForeignFarm.Answer.json(
            StoreReport(address: "s3://films", region: "us-east-1", endpoint: "http://127.0.0.1:9", style: "path"))
        let refusal = try ForeignFarm.Answer.refusal(.forbidden, "the token lacks the scope 'work'")
        try await ForeignFarm.serve({ $0.hasPrefix("POST ") ? refusal : report }) { address in
            let log = directory.file("log")
            let outcome = try await ShellTool.run(
                """
                export SPOOL_TOKEN=t SPOOL_STORE_CACHE='\(directory.file("copies"))'
                '\(SpoolTool.executable)' worker run --store \(address) --redis-url \(redis.url) 2> '\(log)' & worker=$!
                grep -m 1 'taking no jobs' <(tail -n +1 -F --pid=$worker '\(log)' 2> /dev/null)
                kill -TERM $worker; wait $worker
                """)
            #expect(
                outcome.output.contains(
                    " cannot be used: the coordinator does not sign 'GET': the token lacks the scope 'work'"),
                "\(outcome.output) \(outcome.errors)")
        }
    }

    @Test("The live view says that the farm does not answer any more", .timeLimit(.minutes(2)))
    func silentFarm() async throws {
        let queues = try ForeignFarm.Answer.json(Listing<QueueStatus>([], at: Date()))
        let refusal = try ForeignFarm.Answer.refusal(.unauthorized, "the token is revoked")
        let looks = CallCounter()
        try await ForeignFarm.serve({ request in
            guard request == "GET /v1/queues" else { return queues }
            looks.add()
            return looks.count == 1 ? queues : refusal
        }) { address in
            let outcome = try await PseudoTerminal.run(
                [SpoolTool.executable, "top", "--interval", "1", "--server", address, "--token", "t"], columns: 200, typed: "q",
                after: "the token is revoked")
            #expect(outcome.status == 0)
            #expect(
                outcome.output.contains("the farm does not answer, and what is shown is old: the token is revoked"),
                "\(outcome.output)")
        }
    }
}
