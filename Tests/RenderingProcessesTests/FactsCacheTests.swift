import ExportPlan
import RenderingProcesses
import TestSupport
import Testing
import FoundationEssentials

@Suite("FactsCache")
struct FactsCacheTests {
    private let directory: TemporaryDirectory
    private let cache: FactsCache
    private let source: String

    init() throws {
        directory = try TemporaryDirectory()
        cache = FactsCache(directory: directory.file("cache"))
        source = directory.file("a.mp4")
        try write("first", to: source)
    }

    @Test("Facts of a file are unknown before its probe and complete afterwards")
    func remembered() throws {
        #expect(cache.facts(ofFile: source) == nil)
        let facts = try facts("1")
        cache.remember(facts, ofFile: source)
        #expect(cache.facts(ofFile: source) == facts)
        #expect(FactsCache(directory: directory.file("cache")).facts(ofFile: source) == facts)
    }

    @Test("Facts of one path do not apply to another path, even with the same bytes")
    func otherPath() throws {
        cache.remember(try facts("1"), ofFile: source)
        let other = directory.file("b.mp4")
        try write("first", to: other)
        #expect(cache.facts(ofFile: other) == nil)
    }

    @Test("A file with another size or time, or a replaced file, is unknown")
    func changed() throws {
        let date = Date(timeIntervalSince1970: 1_000_000)
        func stamp() throws { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: source) }
        try stamp()
        cache.remember(try facts("1"), ofFile: source)
        #expect(cache.facts(ofFile: source) != nil)

        try FileManager.default.setAttributes([.modificationDate: date.addingTimeInterval(1)], ofItemAtPath: source)
        #expect(cache.facts(ofFile: source) == nil, "another time")

        try write("longer than first", to: source)
        try stamp()
        #expect(cache.facts(ofFile: source) == nil, "another size")

        // The new file is written beside the old one and then renamed, so that both exist at once and have different
        // inodes.
        try write("first", to: source)
        try stamp()
        cache.remember(try facts("1"), ofFile: source)
        let beside = directory.file("beside.mp4")
        try write("FIRST", to: beside)
        try FileManager.default.removeItem(atPath: source)
        try FileManager.default.moveItem(atPath: beside, toPath: source)
        try stamp()
        #expect(cache.facts(ofFile: source) == nil, "another file")
    }

    @Test("A deleted file is unknown, and storing its facts does no harm")
    func gone() throws {
        let nowhere = directory.file("nowhere.mp4")
        cache.remember(try facts("1"), ofFile: nowhere)
        #expect(cache.facts(ofFile: nowhere) == nil)
    }

    @Test("Facts of a file that changed after its probe do not apply to the present file")
    func changedSinceProbe() throws {
        let probed = try facts("1")
        try write("another film", to: source)
        cache.remember(probed, ofFile: source)
        #expect(cache.facts(ofFile: source) == nil)
    }

    @Test("A damaged entry is ignored and replaced")
    func damaged() throws {
        cache.remember(try facts("1"), ofFile: source)
        for entry in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")) {
            try write("{", to: directory.file("cache/\(entry)"))
        }
        #expect(cache.facts(ofFile: source) == nil)
        cache.remember(try facts("2"), ofFile: source)
        #expect(cache.facts(ofFile: source) == (try facts("2")))
    }

    @Test("A cache that cannot be written is not an error")
    func unwritable() throws {
        // A file takes the folder's place, which stops users with any rights, including root.
        let blocked = FactsCache(directory: source + "/cache")
        blocked.remember(try facts("1"), ofFile: source)
        #expect(blocked.facts(ofFile: source) == nil)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func facts(_ hash: String) throws -> SourceFacts {
        let version = #""version": \#(FactsVersion.current)"#
        let json = #"{"contentHash": "\#(hash)", "byteCount": 5, "container": "mp3", "origin": "1/3", \#(version)}"#
        var facts = try JSONDecoder().decode(SourceFacts.self, from: Data(json.utf8))
        facts.identity = FileIdentity(ofFile: source)
        return facts
    }
}
