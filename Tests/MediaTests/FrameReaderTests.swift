import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing

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

        func wrong(_ times: [MediaTime], reversed: Bool) throws -> [String] {
            let reader = try FrameReader(source)
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
    }

    @Test("A frame reached by seeking has the same bits as one reached by reading on", arguments: NumberedSource.all)
    func seekingEqualsReading(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let witness = try await kind.witness(source)
        let sequential = try FrameReader(source)
        let pictures = try witness.frames.map { PlanarPicture(try sequential.frame(at: $0.time)) }
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

    @Test("Reading one long group of pictures backwards is right even with room for only two frames")
    func reverseWithLittleMemory() async throws {
        let directory = try TemporaryDirectory()
        let source = SourceReference(
            facts: try Probe.facts(ofFile: try longGroup(in: directory)), path: directory.file("long.mp4"))
        try #require(source.facts.video?.keyframes.count == 1)
        for budget in [1, 200_000, 48 << 20] {
            let reader = try FrameReader(source, backwardBudget: budget)
            let numbers = try (0..<100).reversed().map { index in
                let time = FrameRate(25).time(ofFrame: index + 1)
                return NumberCode.read(try reader.frame(at: time, reversed: true).plane(0))
            }
            #expect(numbers == Array((0..<100).reversed()), "with a budget of \(budget) bytes")
        }
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

    private func longGroup(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("long.mp4")
        try SampleClip(
            picture: NumberedPicture(blue: 100, red: 150), tone: nil, size: NumberedSource.size, frameRate: FrameRate(25),
            frameCount: 100, keyframeInterval: 250
        ).write(to: path)
        return path
    }
}
