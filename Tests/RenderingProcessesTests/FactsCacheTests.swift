import ExportPlan
import RenderingProcesses
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Remembered facts")
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

    @Test("Nothing is known of a file before it was probed, and all of it afterwards")
    func remembered() throws {
        #expect(cache.facts(ofFile: source) == nil)
        let facts = try facts("1")
        cache.remember(facts, ofFile: source)
        #expect(cache.facts(ofFile: source) == facts)
        #expect(FactsCache(directory: directory.file("cache")).facts(ofFile: source) == facts)
    }

    @Test("What is remembered of one path says nothing of another, even with the same bytes")
    func otherPath() throws {
        cache.remember(try facts("1"), ofFile: source)
        let other = directory.file("b.mp4")
        try write("first", to: other)
        #expect(cache.facts(ofFile: other) == nil)
    }

    @Test("A file of another size, of another time, or another file in its place is not known")
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

        // Written beside the old one and then put in its place, so that both exist at once and their inodes differ.
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

    @Test("A file that is gone is not known, and remembering it harms nothing")
    func gone() throws {
        let nowhere = directory.file("nowhere.mp4")
        cache.remember(try facts("1"), ofFile: nowhere)
        #expect(cache.facts(ofFile: nowhere) == nil)
    }

    @Test("Facts of a file that changed after it was probed are not taken for those of the file that is there now")
    func changedSinceProbe() throws {
        let probed = try facts("1")
        try write("another film", to: source)
        cache.remember(probed, ofFile: source)
        #expect(cache.facts(ofFile: source) == nil)
    }

    @Test("A damaged entry is no entry, and is written anew")
    func damaged() throws {
        cache.remember(try facts("1"), ofFile: source)
        for entry in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")) {
            try write("{", to: directory.file("cache/\(entry)"))
        }
        #expect(cache.facts(ofFile: source) == nil)
        cache.remember(try facts("2"), ofFile: source)
        #expect(cache.facts(ofFile: source) == (try facts("2")))
    }

    @Test("A cache that cannot be written is no failure")
    func unwritable() throws {
        // A file where the folder should be: no user's rights get past it.
        let blocked = FactsCache(directory: source + "/cache")
        blocked.remember(try facts("1"), ofFile: source)
        #expect(blocked.facts(ofFile: source) == nil)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func facts(_ hash: String) throws -> SourceFacts {
        let json = #"{"contentHash": "\#(hash)", "byteCount": 5, "container": "mp3", "origin": "1/3"}"#
        var facts = try JSONDecoder().decode(SourceFacts.self, from: Data(json.utf8))
        facts.identity = FileIdentity(ofFile: source)
        return facts
    }
}
