import ContentHashing
import Coordinator
import TestSupport
import Testing
import FoundationEssentials

/// Films of a farm say how they were made, are checked against that, and are made again on a machine without the farm.
@Suite(.serialized) struct FarmProvenanceTests {
    private struct Provenance: Decodable {
        struct Job: Decodable {
            var kind: String
            var seconds: Double?
            var worker: String?
            var attempt: Int?
            var reused: Bool?
        }

        struct Source: Decodable {
            var location: String
            var sha256: String
            var name: String?
        }

        struct Export: Decodable {
            var id: String
            var farm: String
        }

        var jobs: [Job]
        var sources: [Source]
        var export: Export

        init(_ path: String) throws {
            self = try JSONDecoder().decode(Provenance.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    @Test(
        "A downloaded film is verified, and made again from a folder or from the farm with the same bytes",
        .timeLimit(.minutes(10)))
    func again() async throws {
        let drafts = try await SampleDrafts()
        let folder = URL(fileURLWithPath: drafts.file(0)).deletingLastPathComponent().path
        let directory = try TemporaryDirectory()
        let (film, record) = (directory.file("film.mp4"), directory.file("film.mp4.provenance.json"))
        try await TestFarm.with(workers: 2) { farm in
            let ids = try await farm.submit([drafts.file(0)], ["--set", "posterTime=0.5"])
            try await farm.watch(ids)
            let download = ["download", ids[0], "-o", film, "--provenance"]
            let fetched = try await farm.spool(download)
            try #require(fetched.status == 0, "\(fetched.errors)")
            #expect(fetched.output.contains("film.poster.jpg\n") && fetched.output.contains("film.mp4.provenance.json\n"))
            let kept = try await farm.spool(download + ["--no-overwrite"])
            #expect(kept.status == 73, "\(kept.errors)")

            let provenance = try Provenance(record)
            #expect(provenance.export.id == ids[0])
            #expect(try await provenance.export.farm == farm.store.farm())
            #expect(provenance.sources.allSatisfy { $0.location == "asset:\($0.sha256)" })
            #expect(Set(provenance.sources.compactMap(\.name)) == ["sea.mov", "meadow.mov", "card.png"])
            #expect(provenance.jobs.allSatisfy { ["w1", "w2"].contains($0.worker) && $0.attempt != nil && $0.reused == false })
            #expect(provenance.jobs.allSatisfy { $0.seconds ?? -1 >= 0 })

            let good = try await SpoolTool.run(["verify", film])
            #expect(good.status == 0 && good.output.split(separator: "\n").count == 2, "\(good.errors)")
            let reproduce = ["reproduce", record, "--cache", directory.file("cache")]
            let nowhere = try await SpoolTool.run(reproduce)
            #expect(nowhere.status == 65)
            #expect(nowhere.errors.contains("sea.mov") && nowhere.errors.contains("SPOOL_SERVER"), "\(nowhere.errors)")
            let inFolder = try await SpoolTool.run(reproduce + ["--folder", folder])
            #expect(inFolder.status == 0 && inFolder.output.hasPrefix("film.mp4: the same "), "\(inFolder.errors)")
            let fromFarm = try await farm.spool(reproduce + ["-o", directory.file("again.mp4")])
            #expect(fromFarm.status == 0 && fromFarm.errors.contains("fetched sea.mov"), "\(fromFarm.errors)")
            #expect(try ContentHash.ofFile(directory.file("again.mp4")).hash == ContentHash.ofFile(film).hash)
        }
    }

    @Test("A film whose segments were there says so, and a film that is not made yet has no provenance", .timeLimit(.minutes(10)))
    func reused() async throws {
        let drafts = try await SampleDrafts()
        let directory = try TemporaryDirectory()
        let film = directory.file("film.mp4")
        try await TestFarm.with(workers: 1) { farm in
            let first = try await farm.submit([drafts.file(0)])
            let early = try await farm.spool(["download", first[0], "-o", film, "--provenance"])
            #expect(early.status == 65 && !FileManager.default.fileExists(atPath: film), "\(early.errors)")
            try await farm.watch(first)
            let second = try await farm.submit([drafts.file(0)])
            try await farm.watch(second)
            let fetched = try await farm.spool(["download", second[0], "-o", film, "--provenance"])
            try #require(fetched.status == 0, "\(fetched.errors)")
            let segments = try Provenance(film + ".provenance.json").jobs.filter { $0.kind == "video" }
            #expect(!segments.isEmpty && segments.allSatisfy { $0.reused == true && $0.seconds == nil && $0.worker == nil })
        }
    }
}
