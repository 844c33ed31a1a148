import Coordinator
import DraftModel
import FarmAPI
import FarmClient
import JobQueue
import Synchronization
import TestSupport
import Testing
import FoundationEssentials

@Suite("The client")
struct ClientTests {
    private let options = ExportSubmission.Options()

    @Test("The client uploads each source of a draft once, and leaves the rest of the draft unchanged")
    func submitting() async throws {
        try await LiveFarm.serve { farm in
            func document(_ first: String, _ second: String) -> String {
                #"{ "version":1, "mainTrackClips":[ {"url" : "\#(first)","type":"av"}, "#
                    + #"{"type":"av","url":"\#(second)", "id":"2"} ] }"#
            }
            let original = document("clip.mp4", "{{b}}")
            _ = try farm.writeDraft(original)
            let sent = Mutex<[String]>([])
            let packing = DraftPacking(farm.client) { path, _ in sent.withLock { $0.append(path) } }
            var options = options
            options.parameters = ["b": "clip.mp4"]
            for _ in 0..<2 {
                let submission = try await packing.submission(
                    of: Data(original.utf8), folder: farm.directory.path, options: options, label: "draft")
                let export = try await farm.client.submit(submission, key: UUID().uuidString)
                #expect(export.label == "draft")
            }
            #expect(sent.withLock { $0 } == [farm.directory.file("clip.mp4")])
            let asset = try #require(try await farm.client.assets().items.first)
            #expect(asset.name == "clip.mp4")
            let source = try #require(try await farm.store.exportsToCompile(limit: 1).first?.source)
            #expect(source.document == document("asset:\(asset.hash)", "asset:\(asset.hash)"))
            #expect(source.parameters.isEmpty)
        }
    }

    @Test("The client keeps merge fields in a draft for the library, also in file names")
    func templates() async throws {
        try await LiveFarm.serve { farm in
            let map = #"{"type":"lumaMap","duration":1,"url":"clip.mp4"}"#
            let clips = #"{"type":"av","url":"{{clip}}"},{"type":"av","url":"clip.mp4","transition":\#(map)}"#
            let seen = #""timeRange":{"start":0,"duration":1}"#
            let mask = #""mask":{"source":{"type":"image","url":"clip.mp4"}}"#
            let layer = #"{\#(seen),"source":{"type":"image","url":"clip.mp4"},\#(mask)}"#
            let group = #"{\#(seen),"source":{"type":"group","layers":[\#(layer)]}}"#
            let effect = #"{"type":"lut","url":"clip.mp4"}"#
            let document =
                #"{"version":1,"metadata":{"url":"kept.mp4"},"mainTrackClips":[\#(clips)],"#
                + #""layers":[\#(group)],"effects":[\#(effect)]}"#
            _ = try farm.writeDraft(document)
            let packed = try await DraftPacking(farm.client).template(of: Data(document.utf8), folder: farm.directory.path)
            let revision = try await farm.client.putDraft("d", document: packed)
            #expect(revision.revision == 1)
            #expect(try await farm.client.draft("d") == packed)
            #expect(try await farm.client.drafts().items == [revision])
            let hash = try #require(try await farm.client.assets().items.first?.hash)
            #expect(String(decoding: packed, as: UTF8.self) == document.replacing("clip.mp4", with: "asset:\(hash)"))
        }
    }

    @Test("The client reports every error of a draft before it sends anything")
    func faults() async throws {
        try await LiveFarm.serve { farm in
            let clips = ["clip.mp4", "gone.mp4", ".\",\"sped\":\"1"].map { #"{"type":"av","url":"\#($0)"}"# }
            let document = #"{"version":1,"mainTrackClips":[\#(clips.joined(separator: ","))]}"#
            _ = try farm.writeDraft(document)
            var options = options
            options.settings = ["preset": "huge"]
            let failure = try await #require(throws: ClientFailure.self) {
                _ = try await DraftPacking(farm.client).submission(
                    of: Data(document.utf8), folder: farm.directory.path, options: options, label: nil)
            }
            #expect(failure.reason == .draft)
            #expect(
                Set(failure.diagnostics.map(\.path)) == [
                    "mainTrackClips[1].url", "mainTrackClips[2].url", "mainTrackClips[2].sped", "settings.preset",
                ])
            #expect(try await farm.client.assets().items.isEmpty)
        }
    }

    @Test("The client gets the same export for the same key, and follows exports to their end")
    func following() async throws {
        try await LiveFarm.serve { farm in
            let submission = ExportSubmission(document: LiveFarm.draft, options: options)
            let first = try await farm.client.submit(submission, key: "k")
            #expect(try await farm.client.submit(submission, key: "k").id == first.id)
            let second = try await farm.client.rerun(first.id, key: "r")
            #expect(try await farm.client.rerun(first.id, key: "r").id == second.id)
            let answers = Mutex(0)
            async let ended = farm.client.follow([first.id, second.id], interval: .milliseconds(2)) { exports in
                if exports.count == 2 { answers.withLock { $0 += 1 } }
            }
            try await farm.complete(first.id)
            #expect(try await farm.client.cancel(second.id).state == .cancelled)
            #expect(try await ended.map(\.state) == [.completed, .cancelled])
            #expect(answers.withLock { $0 } > 0)
            #expect(try await farm.client.exports(state: .completed).items.map(\.id) == [first.id])
        }
    }

    @Test("The client gives a downloaded film its name only when it is complete")
    func downloading() async throws {
        try await LiveFarm.serve { farm in
            let export = try await farm.client.submit(
                ExportSubmission(document: LiveFarm.draft, options: options), key: "k")
            let output = farm.directory.file("film.mp4")
            let early = try await #require(throws: ClientFailure.self) {
                _ = try await farm.client.download(export.id, to: output)
            }
            #expect(early.reason == .refused(.conflict))
            #expect(!FileManager.default.fileExists(atPath: output))
            try await farm.complete(export.id)
            var told = 0
            let count = try await farm.client.download(export.id, to: output) { done, total in
                told = done
                #expect(total == LiveFarm.film.count)
            }
            #expect(count == LiveFarm.film.count)
            #expect(told == count)
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: output))) == LiveFarm.film)
            let names = try FileManager.default.contentsOfDirectory(atPath: farm.directory.path)
            #expect(!names.contains { $0.hasSuffix(".partial") })
        }
    }

    @Test("The client lists and changes queues, jobs, workers, tenants and tokens")
    func administration() async throws {
        try await LiveFarm.serve { farm in
            #expect(try await farm.client.setPaused(.audio, true).isPaused)
            #expect(try await farm.client.queues().items.filter(\.isPaused).map(\.role) == [.audio])
            #expect(try await !farm.client.setPaused(.audio, false).isPaused)
            #expect(try await farm.client.workers().items.isEmpty)
            #expect(try await farm.client.createTenant(NewTenant(name: "two", weight: 3)).weight == 3)
            let capped = try await farm.client.changeTenant("two", TenantChange(priorityCap: 20))
            #expect(capped.weight == 3 && capped.priorityCap == 20)
            #expect(try await farm.client.tenants().items.map(\.name) == ["one", "two"])
            let issued = try await farm.client.createToken(NewToken(tenant: "two", name: "x", scopes: [.read]))
            let other = try FarmClient(server: farm.address + "/", token: issued.secret, attempts: 1)
            #expect(try await other.exports().items.isEmpty)
            try await farm.client.revokeToken(issued.token.id)
            #expect(try await farm.client.tokens().items.last?.revokedAt != nil)
            let refused = try await #require(throws: ClientFailure.self) { _ = try await other.exports() }
            #expect(refused.reason == .refused(.unauthorized))
            #expect(refused.message == "this token is unknown, has expired or has been revoked")
            let asset = try await #require(throws: ClientFailure.self) {
                _ = try await other.hasAsset(String(repeating: "0", count: 64))
            }
            #expect(asset.reason == .refused(.unauthorized))
            let missing = try await #require(throws: ClientFailure.self) { _ = try await farm.client.job(1) }
            #expect(missing.reason == .refused(.notFound))
            #expect(try await farm.client.jobs().items.isEmpty)
            let worker = try await #require(throws: ClientFailure.self) { _ = try await farm.client.worker("a b/c") }
            #expect(worker.message == "no worker 'a b/c' has sent a heartbeat recently")
        }
    }

    @Test("The client asks for missing assets one after the other on one connection")
    func missingAssets() async throws {
        try await LiveFarm.serve { farm in
            for digit in "0123456789abcdef" {
                let isThere = try await farm.client.hasAsset(String(repeating: digit, count: 64))
                #expect(!isThere)
                #expect(try await farm.client.assets().items.isEmpty)
            }
        }
    }

    @Test("The client names the address of a farm that does not answer")
    func unreachable() async throws {
        let client = try FarmClient(server: "http://127.0.0.1:1", token: "t", attempts: 2)
        let failure = try await #require(throws: ClientFailure.self) { _ = try await client.queues() }
        #expect(failure.reason == .unreachable)
        #expect(
            failure.message
                == "cannot reach the farm at http://127.0.0.1:1: connection refused; start the coordinator there, or correct the address"
        )
    }

    @Test("The client refuses an invalid address", arguments: ["", "localhost:80", "ftp://x", "http://"])
    func badAddress(_ address: String) {
        #expect(throws: ClientFailure.self) { try FarmClient(server: address, token: "t") }
    }
}

extension LiveFarm {
    static let draft = #"{"version":1,"mainTrackClips":[{"type":"av","url":"/media/clip.mp4"}]}"#
}
