import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite("The check of stored artifacts")
struct BlobCheckTests {
    private static let tenant: Int64 = 7

    private let folder: TemporaryDirectory
    private let directory: FarmDirectory
    private let check: BlobCheck
    private let key = ArtifactKey(String(repeating: "ab", count: 32))

    init() throws {
        folder = try TemporaryDirectory()
        directory = FarmDirectory(folder.file("store"))
        try directory.marker.create()
        check = BlobCheck(DirectoryBlobs(directory))
    }

    @Test("An artifact that is whole has no fault")
    func whole() async throws {
        let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: Self.tenant))
        let file = try store.temporaryFile(for: key)
        try Data("a film".utf8).write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        #expect(try await check.fault(of: key, tenant: Self.tenant) == nil)
    }

    @Test(
        "The fault of an artifact says what is wrong with it or with its checksum",
        arguments: [
            (nil, nil, "is not there"), ("a film", nil, "has no checksum beside it"),
            ("a film", "6 of it", "has a checksum that cannot be read"),
            ("a film", "9 \(String(repeating: "0", count: 64))", "has 6 bytes, and 9 were stored"),
            ("a film", "6 \(String(repeating: "0", count: 64))", "has other bytes than those that were stored"),
        ] as [(String?, String?, String)])
    func faults(_ film: String?, _ record: String?, _ fault: String) async throws {
        let place = "\(directory.artifacts(ofTenant: Self.tenant))/ab"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (end, text) in [("", film), (".sum", record)] {
            if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(place)/\(key.text)\(end)")) }
        }
        #expect(try await check.fault(of: key, tenant: Self.tenant) == fault)
    }
}
