import Coordinator
import ExportPlan
import FarmAPI
import Testing

@Suite("The sources of exports in memory")
struct ReferenceCacheTests {
    private static func references(_ count: Int, _ name: String) -> [String: SourceReference] {
        Dictionary(
            uniqueKeysWithValues: (0..<count).map { number in
                let facts = SourceFacts.sample("\(name) \(number)")
                return (facts.contentHash, SourceReference(facts: facts, path: "\(name) \(number)"))
            })
    }

    @Test("What was added is found, also where an export has no sources")
    func found() {
        let cache = ReferenceCache(limit: 10)
        let (first, second, unknown) = (ExportID(), ExportID(), ExportID())
        cache.add(Self.references(3, "first"), of: first)
        cache.add([:], of: second)
        let found = cache.references(of: [first, second, unknown])
        #expect(found == [first: Self.references(3, "first"), second: [:]])
    }

    @Test("Beyond the limit the exports that were not used for longest are forgotten")
    func limit() {
        let cache = ReferenceCache(limit: 10)
        let exports = (0..<50).map { _ in ExportID() }
        for export in exports {
            cache.add(Self.references(3, export.text), of: export)
            #expect(cache.size <= 10)
            // The first export is used all the time.
            #expect(cache.references(of: [exports[0]]).count == 1)
        }
        #expect(cache.references(of: [exports[49]]).count == 1)
        #expect(cache.references(of: [exports[1]]).isEmpty)
        cache.add(Self.references(11, "long"), of: exports[1])
        #expect(cache.references(of: [exports[1]]).isEmpty, "more than fits is not kept")
        #expect(cache.references(of: [exports[0]]).count == 1)
    }

    @Test("The sources of an export that is added again replace the earlier ones")
    func again() {
        let cache = ReferenceCache(limit: 10)
        let export = ExportID()
        for count in [4, 2] { cache.add(Self.references(count, "film"), of: export) }
        #expect(cache.size == 2)
        #expect(cache.references(of: [export])[export] == Self.references(2, "film"))
    }
}
