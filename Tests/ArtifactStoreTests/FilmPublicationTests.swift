import ArtifactStore
import ContentHashing
import ExportPlan
import FoundationEssentials
import TestSupport
import Testing

/// Films that are published to a bucket which has a film with mostly the same bytes.
@Suite("Publishing films")
struct FilmPublicationTests {
    private static let tenant: Int64 = 7

    private let folder: TemporaryDirectory
    private let blobs: WatchedBlobs
    private let store: MirroredStore
    /// The keys of 30 segments, and the bytes of each.
    private let segments: [(key: ArtifactKey, bytes: [UInt8])]

    init() throws {
        folder = try TemporaryDirectory()
        let remote = FarmDirectory(folder.file("remote"))
        try remote.marker.create()
        blobs = WatchedBlobs(DirectoryBlobs(remote))
        store = try MirroredStore(
            blobs, address: "s3://films", directory: FarmDirectory(folder.file("copies")), limit: 1 << 30)
        var random = RandomNumbers(seed: 24)
        segments = (0..<30).map { number in
            let bytes = (0..<500_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            return (ArtifactKey(ContentHash.of("segment \(number)".utf8)), bytes)
        }
    }

    private func key(_ name: String) -> ArtifactKey { ArtifactKey(ContentHash.of(name.utf8)) }

    private func blob(_ key: ArtifactKey) throws -> BlobName {
        try #require(BlobName("tenants/\(Self.tenant)/\(key.text.prefix(2))/\(key.text)"))
    }

    /// Publishes a film of these segments.
    /// - Returns: the bytes that it is said to share.
    private func publish(
        _ name: String, _ parts: some Collection<(key: ArtifactKey, bytes: [UInt8])>, head: Int = 20_000
    ) async throws -> SharedBytes? {
        let film = key(name)
        let bytes = [UInt8](repeating: 3, count: head) + parts.flatMap(\.bytes)
        let artifacts = try DirectoryArtifactStore(directory: store.directory.artifacts(ofTenant: Self.tenant))
        let file = try artifacts.temporaryFile(for: film)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try artifacts.put(file, for: film)
        try await store.publish(film: film, tenant: Self.tenant, segments: parts.map(\.key))
        #expect(try await blobs.info(of: blob(film))?.byteCount == Int64(bytes.count))
        #expect(try await store.artifact(film, tenant: Self.tenant) != nil)
        let sum = try await store.recordedSum(ofStored: film, tenant: Self.tenant)
        #expect(sum?.hash == ContentHash.of(bytes) && sum?.byteCount == Int64(bytes.count))
        let shared = blobs.upload(of: try blob(film))?.shared
        for run in shared?.runs ?? [] {
            let earlier = try #require(
                FileManager.default.contents(atPath: "\(folder.file("remote"))/\(shared?.blob.text ?? "")"))
            #expect(
                bytes[Int(run.range.lowerBound)..<Int(run.range.upperBound)].elementsEqual(
                    earlier[Int(run.offset)..<Int(run.offset) + run.range.count]))
        }
        return shared
    }

    private func count(_ shared: SharedBytes?) -> Int { shared?.runs.reduce(0) { $0 + $1.range.count } ?? 0 }

    @Test("A film with one changed, inserted or removed segment shares all others with the earlier film")
    func shared() async throws {
        #expect(try await publish("first", segments) == nil)
        let new = (key("new"), (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) })
        var (changed, longer, shorter) = (segments, segments, segments)
        changed[12] = new
        longer.insert(new, at: 12)
        shorter.remove(at: 12)
        let changes = [changed, longer, shorter, [new] + segments]
        for (number, parts) in changes.enumerated() {
            let name = "edit \(number)"
            let shared = try await publish(name, parts, head: 20_000 + 100 * number)
            let whole = parts.reduce(0) { $0 + $1.bytes.count }
            #expect(count(shared) > whole - 1_300_000, "\(name)")
            #expect(shared?.runs.count ?? 0 <= 3)
        }
    }

    @Test("A film that was damaged is sent whole when it is made again, and nothing is copied from it meanwhile")
    func damaged() async throws {
        _ = try await publish("film", segments)
        let film = try blob(key("film"))
        try Data(repeating: 9, count: 15_020_000).write(to: URL(fileURLWithPath: "\(folder.file("remote"))/\(film.text)"))
        // A reader on another machine finds that out.
        let other = try MirroredStore(
            blobs, address: "s3://films", directory: FarmDirectory(folder.file("other")), limit: 1 << 30)
        #expect(try await other.artifact(key("film"), tenant: Self.tenant) == nil)
        #expect(try await store.recordedSum(ofStored: key("film"), tenant: Self.tenant) == nil)
        #expect(try await publish("edit", segments.dropLast()) == nil)
        #expect(try await publish("film", segments)?.blob != film)
        #expect(try await other.artifact(key("film"), tenant: Self.tenant) != nil)
    }

    @Test("A small film, one without segments and one with others are sent whole")
    func alone() async throws {
        #expect(try await publish("first", segments) == nil)
        #expect(try await publish("small", Array(segments[..<3])) == nil)
        #expect(try await publish("bare", [], head: 12 << 20) == nil)
        let others = segments.map { (key("other " + $0.key.text), $0.bytes) }
        #expect(try await publish("others", others) == nil)
    }

    @Test(
        "A note that is damaged, of a newer format or of another film is none",
        arguments: [
            "", "spool film 2 a b\n", "spool film 1 ../../x \"1\"\n",
            "spool film 1 \(String(repeating: "a", count: 64)) \"1\"\n12\n",
            "spool film 1 \(String(repeating: "a", count: 64)) \"1\"\n-1 \(String(repeating: "b", count: 64))\n",
        ])
    func notes(_ text: String) async throws {
        let least = try #require(segments.map(\.key).min { $0.text < $1.text })
        let name = try blob(least).text + ".film"
        let upload = try await blobs.beginUpload(as: try #require(BlobName(name)), UploadOptions())
        try await upload.write(Array(text.utf8))
        _ = try await upload.finish()
        #expect(count(try await publish("film", segments)) == 0)
        // It is replaced by one that is right.
        #expect(count(try await publish("again", segments)) > 14_000_000)
    }

    @Test("A note counts as a part of its artifact, and is removed with it")
    func removed() async throws {
        _ = try await publish("film", segments)
        let listing = try await store.artifactFiles(ofTenant: Self.tenant).list()
        #expect(listing.foreignCount == 0)
        #expect(listing.files.count == 2, "the film, and the segment with the note")
        let removals = await store.artifactFiles(ofTenant: Self.tenant).remove(listing.files.map(\.name))
        #expect(removals.values.allSatisfy { $0 == .removed })
        #expect(try await blobs.list("tenants/", after: nil, limit: 10).isEmpty)
    }
}
