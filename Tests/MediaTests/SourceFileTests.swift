import Media
import TestSupport
import Testing
import FoundationEssentials

@Suite("A source file")
struct SourceFileTests {
    @Test("One system call reads at most 1 MiB, so that slow storage answers each in time, and reading on gives all bytes")
    func chunks() throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file("large")))
        let file = try SourceFile(path: directory.file("large"))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { buffer.deallocate() }
        let base = try #require(buffer.baseAddress)
        #expect(try file.read(bytes.count, at: 0, into: base) == SourceFile.chunk)
        #expect(try file.fill(buffer, from: 0) == bytes.count)
        #expect(buffer.elementsEqual(bytes))
        #expect(try file.bytes() == bytes)
    }
}
