import ContentHashing
import ArtifactStore
import S3Store
import TestSupport
import Testing
import FoundationEssentials

/// Sources that drafts name by address: workers fetch them once, and all jobs of an export read the same bytes.
@Suite(.serialized) struct FarmRemoteTests {
    /// A folder with the draft of a film, and with the same draft with addresses in place of paths.
    private struct Drafts {
        let directory: TemporaryDirectory
        let local: String
        let remote: String

        /// - Parameter places: where the files are named instead: a name and its address, both as the draft has them.
        init(_ address: String, _ directory: TemporaryDirectory, places: [(name: String, address: String)] = []) throws {
            self.directory = directory
            (local, remote) = (directory.file("local.json"), directory.file("remote.json"))
            let text = """
                {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25,
                 "mainTrackClips": [
                  {"type": "av", "url": "sea.mp4", "timeRange": {"start": 0, "duration": 1}},
                  {"type": "image", "url": "card.png", "duration": 1}],
                 "audioClips": [{"url": "music.mp4", "timeRange": {"start": 0, "duration": 2}}],
                 "layers": [{"timeRange": {"start": 0, "duration": 2},
                   "source": {"type": "captions", "url": "words.srt", "style": {"font": "Sans 20"}}}]}
                """
            let captions = "1\\n00:00:00,000 --> 00:00:02,000\\ncaption\\n"
            try Data(captions.replacing("\\n", with: "\n").utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
            try Data(text.utf8).write(to: URL(fileURLWithPath: local))
            var other = text
            for name in ["sea.mp4", "card.png", "music.mp4", "words.srt"] {
                let place = places.first { $0.name == name }?.address ?? "\(address)/\(name)?part=1"
                other = other.replacing("\"\(name)\"", with: "\"\(place)\"")
            }
            try Data(other.utf8).write(to: URL(fileURLWithPath: remote))
        }

        /// The sha256 of the film that `spool export` makes of the files.
        func exportLocally(_ draft: String, _ options: [String] = []) async throws -> String {
            let film = directory.file("film-\(options.count).mp4")
            let outcome = try await SpoolTool.run(
                ["export", draft, "-o", film, "--cache", directory.file("cache-\(options.count)")] + options)
            guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
            return try ContentHash.ofFile(film).hash
        }
    }

    private func media() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let outcome = try await SpoolTool.run(["sample-media", directory.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return directory
    }

    @Test(
        "A film of fetched sources has the bytes of one of files, and unchanged sources are not sent again",
        .timeLimit(.minutes(10)))
    func fetched() async throws {
        let directory = try await media()
        let server = try await FileServer(directory.path)
        let drafts = try Drafts(server.address, directory)
        let film = try await drafts.exportLocally(drafts.local)
        let options = ["--allow-address", server.address + "/", "--allow-network", "127.0.0.1/32"]
        #expect(try await drafts.exportLocally(drafts.remote, options) == film)
        let settings = ["SPOOL_SOURCE_ADDRESSES": server.address + "/", "SPOOL_SOURCE_NETWORKS": "127.0.0.1/32"]
        try await TestFarm.with(workers: 2, settings: settings) { farm in
            let before = server.requests.count
            let first = try await farm.submit([drafts.remote])
            try await farm.watch(first)
            #expect(try await farm.film(first[0]) == film)
            let sent = server.requests.dropFirst(before).filter { $0.hasSuffix(" 200") }
            // The captions are read by two probes, which may fetch them at the same time.
            #expect(Set(sent).count == 4 && sent.count <= 5, "\(sent)")
            let second = try await farm.submit([drafts.remote])
            try await farm.watch(second)
            let asked = server.requests.dropFirst(before + sent.count)
            #expect(asked.count >= 4 && asked.filter { $0.hasSuffix(" 200") }.count <= 1, "\(asked)")
            #expect(try await farm.film(second[0]) == film)

            // Another picture at the same address makes another film.
            try FileManager.default.removeItem(atPath: directory.file("card.png"))
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "color=red:size=320x180", "-frames:v", "1", directory.file("card.png"),
            ])
            let third = try await farm.submit([drafts.remote])
            try await farm.watch(third)
            let changed = try await drafts.exportLocally(drafts.local)
            #expect(try await farm.film(third[0]) == changed)
            #expect(changed != film)
            let audit = try await farm.spool(["audit"])
            #expect(audit.status == 0, "\(audit)")
        }
    }

    @Test("What an address does not give fails its export alone, and no signature is repeated", .timeLimit(.minutes(10)))
    func failing() async throws {
        let directory = try await media()
        let server = try await FileServer(directory.path)
        let settings = ["SPOOL_SOURCE_ADDRESSES": server.address + "/", "SPOOL_SOURCE_NETWORKS": "127.0.0.1/32"]
        let missing = try Drafts(server.address, directory, places: [("sea.mp4", "\(server.address)/none.mp4?sig=s3cret")])
        try await TestFarm.with(workers: 1, settings: settings) { farm in
            let ids = try await farm.submit([missing.remote])
            let outcome = try await farm.spool(["watch", ids[0]])
            #expect(outcome.status == 65 || outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.contains("mainTrackClips[0].url") && outcome.errors.contains("404"), "\(outcome.errors)")
            let log = try farm.log(of: "w1")
            #expect(!outcome.errors.contains("s3cret") && !log.contains("s3cret"))
            let forbidden = try Drafts("http://127.0.0.1:1", directory)
            let refused = try await farm.spool(["submit", forbidden.remote])
            #expect(refused.status == 65 && refused.errors.contains("not among the addresses"), "\(refused)")
            // The list of the tenant holds beside that of the farm.
            let narrow = try await farm.spool(["tenant", "set", "studio", "--source-addresses", "https://example.com/"])
            #expect(narrow.status == 0, "\(narrow)")
            let good = try Drafts(server.address, directory)
            let other = try await farm.submit([good.remote])
            let denied = try await farm.spool(["watch", other[0]])
            #expect(denied.status != 0 && denied.errors.contains("https://example.com/"), "\(denied)")
        }
    }

    @Test(
        "A farm whose store is a bucket fetches, too, from buckets and from data in the draft", .timeLimit(.minutes(10)),
        .enabled(if: MotoServer.isInstalled, "no S3 server: scripts/install-test-tools installs moto"))
    func bucket() async throws {
        let directory = try await media()
        let server = try await FileServer(directory.path)
        let bucket = try await MotoServer.shared().store()
        let other = try await MotoServer.shared().store()
        let name = try #require(BlobName("incoming/sea 1.mp4"))
        #expect(try await other.upload(directory.file("sea.mp4"), as: name, UploadOptions()))
        let folder = other.settings.description
        let card = try Data(contentsOf: URL(fileURLWithPath: directory.file("card.png"))).base64EncodedString()
        let drafts = try Drafts(
            server.address, directory,
            places: [("card.png", "data:image/png;base64,\(card)"), ("sea.mp4", "\(folder)/incoming/sea 1.mp4")])
        let film = try await drafts.exportLocally(drafts.local)
        let settings = [
            "SPOOL_SOURCE_ADDRESSES": "\(server.address)/,\(folder)/incoming/", "SPOOL_SOURCE_NETWORKS": "127.0.0.1/32",
        ]
        try await TestFarm.with(workers: 2, bucket: bucket, settings: settings) { farm in
            let ids = try await farm.submit([drafts.remote])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == film)
            // Only what the list allows is read from buckets, with the keys of the worker.
            let outside = try Drafts(server.address, directory, places: [("sea.mp4", "\(folder)/elsewhere/sea.mp4")])
            let refused = try await farm.spool(["submit", outside.remote])
            #expect(refused.status == 65 && refused.errors.contains("not among the addresses"), "\(refused)")
        }
    }
}
