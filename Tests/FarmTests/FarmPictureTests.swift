import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// A farm makes the same pictures of drafts as `spool frame` and `spool thumbnails`.
@Suite(.serialized) struct FarmPictureTests {
    @Test("A frame and a sheet have the bytes of the local commands, and are not made a second time", .timeLimit(.minutes(5)))
    func sameBytes() async throws {
        let drafts = try await SampleDrafts()
        let directory = try TemporaryDirectory()
        let draft = drafts.file(0)
        try await TestFarm.with(workers: 1) { farm in
            func check(_ settings: [String], local command: [String], file: String) async throws {
                let (local, downloaded) = (directory.file("local-\(file)"), directory.file(file))
                let made = try await SpoolTool.run(command + [draft, "-o", local])
                try #require(made.status == 0, "\(made.errors)")
                let words = settings.flatMap { ["--set", $0] }
                for isAgain in [false, true] {
                    let ids = try await farm.submit([draft], words)
                    try await farm.watch(ids)
                    let outcome = try await farm.spool(["download", ids[0], "-o", downloaded])
                    try #require(outcome.status == 0, "\(outcome.errors)")
                    #expect(try ContentHash.ofFile(downloaded).hash == ContentHash.ofFile(local).hash, "\(settings)")
                    let id = try #require(ExportID(ids[0]))
                    let jobs = try await farm.store.jobs(.init(export: id, limit: 100)).filter { $0.kind != .probe }
                    #expect(jobs.map(\.kind) == [.picture] && jobs.map(\.reused) == [isAgain], "\(settings)")
                }
            }
            try await check(["frameTime=0.5"], local: ["frame", "--time", "0.5"], file: "frame.png")
            try await check(
                ["frameTime=0.5", "fileType=jpeg", "pictureSize=100x100", "pictureFit=cover"],
                local: ["frame", "--time", "0.5", "--size", "100x100", "--fit", "cover"], file: "frame.jpg")
            try await check(
                ["sheetCount=7", "sheetColumns=3", "fileType=webp", "pictureMaxSize=90x90"],
                local: ["thumbnails", "--count", "7", "--columns", "3", "--max-size", "90x90"], file: "sheet.webp")
            let late = try await farm.submit([draft], ["--set", "frameTime=5000"])
            let outcome = try await farm.spool(["watch"] + late)
            #expect(outcome.status != 0 && (outcome.output + outcome.errors).contains("settings.frameTime: is 5000 s"))
        }
    }
}
