import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// Messages to receivers, and films on their way to a destination, on a whole farm with real processes.
@Suite(.serialized) struct FarmWebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func settings(_ ports: [Int], networks: String = "127.0.0.0/8") -> [String: String] {
        [
            "SPOOL_RECEIVER_ADDRESSES": ports.map { "http://127.0.0.1:\($0)/" }.joined(separator: ","),
            "SPOOL_RECEIVER_NETWORKS": networks,
        ]
    }

    private func media() async throws -> (directory: TemporaryDirectory, draft: String) {
        let directory = try TemporaryDirectory()
        let outcome = try await SpoolTool.run(["sample-media", directory.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = """
            {"version": 1, "videoSize": {"width": 160, "height": 90}, "frameRate": 25,
             "mainTrackClips": [{"type": "av", "url": "sea.mp4", "timeRange": {"start": 0, "duration": 1}}]}
            """
        let draft = directory.file("film.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        return (directory, draft)
    }

    private func add(_ farm: TestFarm, _ address: String, _ events: [WebhookEvent]) async throws -> Int64 {
        let secret = farm.directory.file("secret")
        try Data("\(Self.secret)\n".utf8).write(to: URL(fileURLWithPath: secret))
        let outcome = try await farm.spool(
            ["webhook", "add", address, "--secret-file", secret, "--json"] + events.flatMap { ["--event", $0.rawValue] })
        #expect(outcome.status == 0, "\(outcome.errors)")
        let issued = try FarmJSON.decode(IssuedWebhook.self, from: Data(outcome.output.utf8))
        #expect(issued.secret == Self.secret)
        return issued.webhook.id
    }

    @Test(
        "A film's end, progress and arrival at its destination are told, in this order, also when the coordinator is killed",
        .timeLimit(.minutes(10)))
    func told() async throws {
        let receiver = try await WebhookReceiver(secrets: [Self.secret])
        let (media, draft) = try await media()
        let destinations = media.file("destinations.json")
        let films = media.file("films")
        try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: false)
        let entry = #"[{"name": "nas", "directory": "\#(films)", "key": "{label}-{export}.{extension}", "manifest": true}]"#
        try Data(entry.utf8).write(to: URL(fileURLWithPath: destinations))
        _ = try await ShellTool.run("chmod 600 '\(destinations)'")
        let settings = settings([receiver.port]).merging(["SPOOL_DESTINATIONS": destinations]) { $1 }
        let pictures = ["--set", "posterTime=0.1", "--set", "spriteInterval=0.1"]
        try await TestFarm.with(workers: 1, settings: settings) { farm in
            let webhook = try await add(
                farm, receiver.address + "/status/500/1", [.completed, .failed, .cancelled, .progress, .published])
            let test = try await farm.spool(["webhook", "test", "\(webhook)"])
            #expect(test.status == 69 && test.errors.contains("answered 500"), "each message is refused once")
            let unknown = try await farm.spool(["submit", draft, "--set", "destination=elsewhere"])
            #expect(unknown.status == 65 && unknown.errors.contains("known are nas"), "\(unknown.errors)")
            let id = try #require(
                try await farm.submit([draft], ["--set", "destination=nas", "--label", "../x"] + pictures).first)
            try await farm.watch([id])
            // What is not delivered yet is in the database, and the next coordinator goes on with it.
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            try await receiver.eventually { $0.contains { $0.type == "export.published" && $0.status == 200 } }
            let received = try receiver.received
            #expect(received.allSatisfy { $0.valid == 1 && $0.isRecent })
            let taken = received.filter { $0.status == 200 && $0.export == id }.map(\.type)
            #expect(taken.filter { $0 != "export.progress" } == ["export.completed", "export.published"])
            let status = try await farm.spool(["status", id])
            #expect(status.output.contains("\(films)/x-\(id).mp4.json"), "\(status.output)")
            let local = media.file("local.mp4")
            let exported = try await SpoolTool.run(
                ["export", draft, "-o", local, "--cache", media.file("cache")] + pictures)
            #expect(exported.status == 0, "\(exported.errors)")
            let download = media.file("film.mp4")
            #expect(try await farm.spool(["download", id, "-o", download]).status == 0)
            for name in ["mp4", "poster.jpg", "sprites-1.jpg"] {
                let bytes = FileManager.default.contents(atPath: media.file("film.\(name)"))
                #expect(bytes != nil && bytes == FileManager.default.contents(atPath: media.file("local.\(name)")), "\(name)")
                #expect(bytes == FileManager.default.contents(atPath: "\(films)/x-\(id).\(name)"), "\(name)")
            }
            let index = FileManager.default.contents(atPath: media.file("film.sprites.vtt")) ?? Data()
            #expect(String(decoding: index, as: UTF8.self).contains("film.sprites-1.jpg#xywh=0,0,"))
            let cancelled = try #require(try await farm.submit([draft], ["--label", "other"]).first)
            if try await farm.spool(["cancel", cancelled]).status == 0 {
                try await receiver.eventually { $0.contains { $0.type == "export.cancelled" && $0.export == cancelled } }
            }
            let shown = try await farm.spool(["webhook", "show", "\(webhook)", "--state", "delivered"])
            #expect(shown.output.contains("export.published") && shown.output.contains("the receiver answered 200"))
        }
    }

    @Test("A receiver at a private address gets nothing unless its network is allowed", .timeLimit(.minutes(5)))
    func privateAddress() async throws {
        let receiver = try await WebhookReceiver(secrets: [Self.secret])
        try await TestFarm.with(workers: 0, settings: settings([receiver.port], networks: "")) { farm in
            let webhook = try await add(farm, receiver.address + "/ok", [.completed])
            let test = try await farm.spool(["webhook", "test", "\(webhook)"])
            #expect(test.status == 69 && test.errors.contains("127.0.0.1 is not a public address"), "\(test.errors)")
            let refused = try await farm.spool(["webhook", "add", "http://127.0.0.2/hook"])
            #expect(refused.status == 65 && refused.errors.contains("receiverAddresses"), "\(refused.errors)")
        }
        #expect(try receiver.received.isEmpty)
    }
}
