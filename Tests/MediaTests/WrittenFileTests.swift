import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials
import Glibc

/// Files that cannot be put together from their parts, with what a person reads.
@Suite("Films that cannot be written")
struct WrittenFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("A file of 8 GiB and more, for which an archive has no number, is refused with its size")
    func largeFile() throws {
        let path = directory.file("sound.mp4")
        try Data("sound".utf8).write(to: URL(fileURLWithPath: path))
        // Its bytes take no room on the disk.
        try #require(truncate(path, 8 << 30) == 0)
        let archive = directory.file("film.tar")
        let writer = try FileArchiveWriter(path: archive)
        let error = try #require(throws: MediaError.self) {
            try writer.add("sound.mp4", [1, 2], followedBy: try SourceFile(path: path))
        }
        #expect(error.code == .cannotWrite && error.subject == archive)
        #expect(
            error.message
                == "cannot hold 'sound.mp4' of 8589934594 bytes; make the film shorter, or its pictures smaller")
    }

    @Test("A GIF with more or fewer images than its segment has frames is damaged", arguments: [(2, "more"), (4, "fewer")])
    func imageCount(_ frames: Int, _ words: String) throws {
        let image = HandmadeGIF.Frame(x: 0, y: 0, width: 1, height: 1, disposal: 1, transparent: nil, pixels: [1])
        let picture = HandmadeGIF(width: 1, height: 1, background: 0, frames: [image, image, image])
        let segment = directory.file("segment.gif")
        try Data(picture.bytes).write(to: URL(fileURLWithPath: segment))
        let settings = ContainerSettings(fileType: .gif, optimizeForNetworkUse: false, metadata: [:])
        let writer = try animationWriter(settings, path: directory.file("film.gif"), frameRate: FrameRate(25))
        let error = try #require(throws: MediaError.self) { try writer.add(segment: segment, frames: 0..<frames) }
        #expect(error.code == .damaged && error.subject == segment)
        #expect(error.message == "has \(words) images than its segment has frames")
    }

    @Test("A written film without its index is a fault of the disk")
    func noIndex() throws {
        let path = directory.file("film.mp4")
        // A box of 24 bytes with the type of the file.
        try Data([0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 12)).write(
            to: URL(fileURLWithPath: path))
        let error = try #require(throws: MediaError.self) { try MovieLength(path: path) }
        #expect(error.code == .cannotWrite && error.subject == path)
        #expect(error.message == "has no index (the moov box); check the disk that it is on, and try again")
    }
}
