import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite("StoreMarker")
struct StoreMarkerTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("deep/store")
    }

    private func marker(of farm: String?) -> StoreMarker { FarmDirectory(path, farm: farm).marker }

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? ArtifactError)?.message }
    }

    @Test("A missing marker is an error, and creating it creates its directories")
    func made() throws {
        #expect(message { try marker(of: nil).check() }?.contains("is it mounted?") == true)
        try marker(of: "one").create()
        try marker(of: nil).check()
        try marker(of: "one").check()
        try marker(of: "one").checkWriting(as: "w1")
    }

    @Test("The directory of a store contains its own files and not those of its neighbour")
    func contents() {
        for root in ["/srv/store", "/srv/store/"] {
            let directory = FarmDirectory(root)
            #expect(directory.contains(root) && directory.contains("/srv/store/tenants/1/ab/cd"))
            #expect(!directory.contains("/srv/store2/file") && !directory.contains("/srv") && !directory.contains(""))
        }
    }

    @Test("A marker names one farm, and other farms neither take over nor use its store")
    func otherFarm() throws {
        try marker(of: "one").create()
        let before = FileManager.default.contents(atPath: path + "/.spool-store")
        let other = marker(of: "two")
        for body in [other.create, other.check, { try other.checkWriting(as: "w1") }] {
            let text = try #require(message(body))
            #expect(text.contains("is the store of farm one, and the database is farm two"), "\(text)")
            #expect(text.contains("--store"), "a remedy: \(text)")
        }
        #expect(FileManager.default.contents(atPath: path + "/.spool-store") == before)
    }

    @Test("A marker of an earlier version, without a farm, is assigned to the first farm that asks")
    func adopted() throws {
        try marker(of: nil).create()
        #expect(message { try marker(of: "one").check() }?.contains("names no farm") == true)
        for _ in 0..<3 { try marker(of: "one").create() }
        try marker(of: "one").check()
        #expect(message { try marker(of: "two").create() } != nil)
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path + "/.spool-store")), as: UTF8.self)
        #expect(text.components(separatedBy: "farm: ").count == 2, "named once: \(text)")
    }
}
