import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials
import Glibc

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

    @Test("A file that is shorter than it was when it was opened is said to end where it does")
    func shortened() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("short")
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
        let file = try SourceFile(path: path)
        try #require(truncate(path, 4_000) == 0)
        let error = try #require(throws: MediaError.self) { try file.bytes() }
        #expect(error.code == .cannotRead && error.subject == path)
        #expect(error.message == "ended after 4000 of 10000 bytes; check the disk that holds it, and try again")
    }

    @Test("A read that the system refuses is reported with its place and the system's reason")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("closed")
        try Data(repeating: 7, count: 100).write(to: URL(fileURLWithPath: path))
        var source = SourceReference(
            facts: SourceFacts(contentHash: "", byteCount: 100, container: "wav", origin: .zero, video: nil, audio: nil),
            path: path)
        // A descriptor that is open for writing alone cannot be read.
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        source.descriptor = descriptor
        let file = try SourceFile(source)
        let error = try #require(throws: MediaError.self) { try file.bytes() }
        #expect(error.code == .cannotRead && error.subject == path)
        #expect(
            error.message == "cannot be read at byte 0: Bad file descriptor; check the disk that holds it, and try again")
    }
}
