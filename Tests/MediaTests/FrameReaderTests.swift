import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The rule of the draft format about which frame is shown at a time, on every kind of file that clients send. Expected
/// values come from ffprobe's times and ffmpeg's pictures, not from the code under test.
@Suite struct FrameReaderTests {
    @Test(
        "Forward, backwards and in random order, the frame at every time is that of the specification",
        arguments: NumberedSource.all)
    func showsTheRightFrame(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let witness = try await kind.witness(source)
        let tolerance = kind.tolerance(witness.timeBase)
        let rising = witness.telling(tolerance, frameRate: kind.frameRate)
        try #require(Set(witness.frames.map(\.number)).count == witness.frames.count)

        func wrong(_ times: [MediaTime], reversed: Bool, _ room: BackwardRoom = BackwardRoom()) throws -> [String] {
            let reader = try FrameReader(source, room: room)
            return try times.compactMap { time in
                let shown = NumberCode.read(try reader.frame(at: time, reversed: reversed).plane(0))
                let wanted = witness.number(at: time, reversed: reversed, tolerance: tolerance)
                return shown == wanted ? nil : "\(time): \(shown) instead of \(wanted)"
            }
        }
        var random = RandomNumbers(seed: 1)
        let scattered = Array(rising.shuffled(using: &random).prefix(60))
        #expect(try wrong(rising, reversed: false) == [])
        #expect(try wrong(rising.reversed(), reversed: true) == [])
        #expect(try wrong(scattered, reversed: false) == [])
        #expect(try wrong(scattered, reversed: true) == [])
        let file = BackwardRoom(memory: 1, file: directory.file("frames"))
        #expect(try wrong(rising.reversed(), reversed: true, file) == [])
        #expect(try wrong(scattered, reversed: true, file) == [])
    }

    @Test("A frame reached by seeking has the same bits as one reached by reading on", arguments: NumberedSource.all)
    func seekingEqualsReading(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let witness = try await kind.witness(source)
        let pictures = try picturesInOrder(of: source, witness)
        var random = RandomNumbers(seed: 2)
        let jumping = try FrameReader(source)
        var different: [Int] = []
        for index in pictures.indices.shuffled(using: &random) {
            let picture = PlanarPicture(try jumping.frame(at: witness.frames[index].time))
            if picture != pictures[index] { different.append(witness.frames[index].number) }
        }
        for index in [7, pictures.count / 2, pictures.count - 1] {
            let fresh = PlanarPicture(try FrameReader(source).frame(at: witness.frames[index].time))
            if fresh != pictures[index] { different.append(witness.frames[index].number) }
        }
        #expect(different == [])
    }

    @Test(
        "Reading one long group of pictures backwards is right with little memory, and with a small or an impossible file",
        arguments: [
            BackwardRoom(memory: 1), BackwardRoom(memory: 200_000), BackwardRoom(memory: 48 << 20),
            BackwardRoom(memory: 1, file: "frames"), BackwardRoom(memory: 200_000, file: "frames", fileSize: 400_000),
            BackwardRoom(memory: 1, file: "frames", fileSize: 1), BackwardRoom(memory: 1, file: "missing/frames"),
        ])
    func reverseWithLittleRoom(_ room: BackwardRoom) async throws {
        let directory = try TemporaryDirectory()
        let source = SourceReference(
            facts: try Probe.facts(ofFile: try longGroup(in: directory)), path: directory.file("long.mp4"))
        try #require(source.facts.video?.keyframes.count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        var room = room
        room.file = room.file.map { directory.file($0) }
        let reader = try FrameReader(source, room: room)
        let numbers = try (0..<100).reversed().map { index in
            let time = FrameRate(25).time(ofFrame: index + 1)
            return NumberCode.read(try reader.frame(at: time, reversed: true).plane(0))
        }
        #expect(numbers == Array((0..<100).reversed()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == files)
    }

    @Test("A reader that begins at a keyframe shows what follows, up to the end", arguments: NumberedSource.all)
    func beginsAtKeyframe(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let witness = try await kind.witness(source)
        let pictures = try picturesInOrder(of: source, witness)
        var different: [String] = []
        for keyframe in try #require(source.facts.video).keyframes.suffix(3) {
            let first = try #require(witness.frames.firstIndex { $0.time >= keyframe })
            for room in [nil, directory.file("frames")].map({ BackwardRoom(memory: 1, file: $0) }) {
                let (forwards, backwards) = (try FrameReader(source), try FrameReader(source, room: room))
                for index in pictures.indices[first...]
                where PlanarPicture(
                    try forwards.frame(at: witness.frames[index].time)) != pictures[index]
                {
                    different.append("\(index) forwards from \(first)")
                }
                for index in pictures.indices[first...].dropLast().reversed()
                where PlanarPicture(
                    try backwards.frame(at: witness.frames[index + 1].time, reversed: true)) != pictures[index]
                {
                    different.append("\(index) backwards to \(first)")
                }
            }
        }
        #expect(different == [])
    }

    @Test("Frames that the file gives back changed are decoded again, also those that are mixed with the next one")
    func damagedFile() async throws {
        let directory = try TemporaryDirectory()
        let source = SourceReference(
            facts: try Probe.facts(ofFile: try longGroup(in: directory)), path: directory.file("long.mp4"))
        let reader = try FrameReader(source, room: BackwardRoom(memory: 1, file: directory.file("frames")))
        func time(_ index: Int) -> MediaTime { FrameRate(25).time(ofFrame: index + 1) }
        _ = try reader.frame(at: time(90), reversed: true)
        _ = try reader.frame(at: time(50), reversed: true)
        // The file has no name, but the system shows what this process has open.
        let paths = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map { "/proc/self/fd/\($0)" }
        let path = try #require(
            paths.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: $0))?.hasPrefix(directory.file("frames")) == true
            })
        let file = open(path, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 90 * NumberedSource.size.width * NumberedSource.size.height * 3 / 2)
        #expect(pwrite(file, zeros, zeros.count, 0) == zeros.count)
        let mixed = try #require(try reader.frame(after: time(49) + FrameRate(25).frameDuration * Rational(1, 2), reversed: true))
        #expect(NumberCode.read(mixed.frame.plane(0)) == 51)
        #expect(mixed.share == 0.5)
        #expect(
            try (30..<50).reversed().map { NumberCode.read(try reader.frame(at: time($0), reversed: true).plane(0)) }
                == Array((30..<50).reversed()))
    }

    @Test("A group of pictures that plays backwards is decoded once: afterwards nothing of the source is read")
    func decodesGroupOnce() async throws {
        let directory = try TemporaryDirectory()
        let source = SourceReference(
            facts: try Probe.facts(ofFile: try longGroup(in: directory)), path: directory.file("long.mp4"))
        let reader = try FrameReader(source, room: BackwardRoom(memory: 1, file: directory.file("frames")))
        func number(_ index: Int) throws -> Int? {
            NumberCode.read(try reader.frame(at: FrameRate(25).time(ofFrame: index + 1), reversed: true).plane(0))
        }
        #expect(try number(99) == 99)
        try Data().write(to: URL(filePath: source.path))
        #expect(try (0..<99).reversed().map(number) == Array((0..<99).reversed()))
    }

    @Test(
        "Frames of every layout come out of the file as they went in",
        arguments: ["yuv420p", "yuv422p10le", "yuv444p", "gray", "gbrp", "rgb24", "bgra", "pal8", "monob"])
    func keepsEveryLayout(_ format: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip.nut")
        // Odd sizes have chroma planes that are rounded up.
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=101x67:r=25:d=0.4", "-pix_fmt", format, "-c:v", "rawvideo", path,
        ])
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        let source = SourceReference(facts: facts, path: path)
        func pictures(_ reader: FrameReader) throws -> [PlanarPicture] {
            let scaler = PictureScaler(subject: "layout")
            return try (0..<10).reversed().map { index in
                let frame = try reader.frame(at: FrameRate(25).time(ofFrame: index + 1), reversed: true)
                return PlanarPicture(
                    try scaler.scale(frame, region: .whole, color: video.color, to: .yuv420, size: frame.size))
            }
        }
        let kept = try pictures(try FrameReader(source))
        let filed = try pictures(
            try FrameReader(source, room: BackwardRoom(memory: 1, file: directory.file("frames"))))
        #expect(filed == kept)
        #expect(Set(kept.map(\.planes)).count == 10)
    }

    @Test("A 30 fps source in a 24 fps film shows floor(n * 30 / 24), and at half speed each frame twice")
    func playsAtOtherRates() async throws {
        let directory = try TemporaryDirectory()
        let source = try await NumberedSource.all[0].write(in: directory)
        let cinema = try FrameReader(source)
        let numbers = try (0..<50).map { NumberCode.read(try cinema.frame(at: FrameRate(24).time(ofFrame: $0)).plane(0)) }
        #expect(numbers == (0..<50).map { $0 * 30 / 24 })
        let slow = try FrameReader(source)
        let doubled = try (0..<100).map { NumberCode.read(try slow.frame(at: FrameRate(60).time(ofFrame: $0)).plane(0)) }
        #expect(doubled == (0..<100).map { $0 / 2 })
    }

    @Test("A source without a picture is refused with an error that names it")
    func refusesSoundOnly() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("tone.wav")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "sine=d=0.2", path])
        let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        let error = #expect(throws: MediaError.self) { try FrameReader(source) }
        #expect(error?.code == .noStream)
        #expect(error?.subject == path)
    }

    /// The pictures of a source as a reader gives them that reads on from the start.
    private func picturesInOrder(of source: SourceReference, _ witness: NumberedFrames) throws -> [PlanarPicture] {
        let reader = try FrameReader(source)
        return try witness.frames.map { PlanarPicture(try reader.frame(at: $0.time)) }
    }

    private func longGroup(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("long.mp4")
        try SampleClip(
            picture: NumberedPicture(blue: 100, red: 150), tone: nil, size: NumberedSource.size, frameRate: FrameRate(25),
            frameCount: 100, keyframeInterval: 250
        ).write(to: path)
        return path
    }
}
