import ContentHashing
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Chunks that a file's content delimits")
struct ContentChunksTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func chunks(_ bytes: [UInt8]) throws -> [ContentChunks.Chunk] {
        let path = folder.file("file")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return try ContentChunks.ofDescriptor(descriptor)
    }

    private func random(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = RandomNumbers(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    @Test("The chunks are the file, and their hashes those of their bytes", arguments: [0, 1, 65_535, 65_536, 3_000_000])
    func whole(_ count: Int) throws {
        let bytes = random(count)
        let chunks = try chunks(bytes)
        #expect(chunks.reduce(0) { $0 + Int($1.byteCount) } == count)
        var position = 0
        for chunk in chunks {
            #expect(chunk.hash == ContentHash.of(bytes[position..<position + Int(chunk.byteCount)]))
            position += Int(chunk.byteCount)
        }
        for chunk in chunks.dropLast() {
            #expect(ContentChunks.shortest...ContentChunks.longest ~= Int(chunk.byteCount))
        }
    }

    @Test("A chunk has 128 KiB on average")
    func size() throws {
        let count = try chunks(random(16 << 20)).count
        #expect(100...160 ~= count)
    }

    @Test("Bytes that never end a chunk are chunks of the greatest length")
    func constant() throws {
        let chunks = try chunks([UInt8](repeating: 0, count: 5 << 19))
        #expect(chunks.map(\.byteCount) == [1 << 20, 1 << 20, 1 << 19])
        #expect(chunks[0] == chunks[1])
    }

    @Test("Bytes that are inserted, removed or changed leave all chunks but a few as they were", arguments: 0..<8)
    func changes(_ seed: UInt64) throws {
        let bytes = random(8 << 20, seed: seed)
        let before = try chunks(bytes)
        let place = 1_000_000 * (Int(seed) % 7) + 12_345
        var (longer, shorter, other) = (bytes, bytes, bytes)
        longer.insert(contentsOf: random(70_001, seed: 99), at: place)
        shorter.removeSubrange(place...place + 50_000)
        other[place] ^= 1
        for changed in [longer, shorter, other] {
            let after = try chunks(changed)
            #expect(Set(before).subtracting(after).count <= 4)
            #expect(Set(after).subtracting(before).count <= 5)
        }
    }
}
