import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Animated GIF, APNG and WebP: the number of frames, their start times, and every pixel, including transparent ones.
/// The files and the expected values come from Pillow.
@Suite struct AnimatedPictureTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var fileName: String
        /// The options of Pillow's `save`.
        var options: String
        /// Whether the encoding is lossy. A still may be decoded by another library, which rounds differently.
        var isLossy: Bool { fileName.hasSuffix("webp") && !options.contains("lossless") }
    }

    static let kinds =
        (0...3).map { Kind(testDescription: "GIF, disposal \($0)", fileName: "a.gif", options: "disposal=\($0), loop=0") }
        + (0...2).flatMap { disposal in
            (0...1).map { blend in
                Kind(
                    testDescription: "APNG, disposal \(disposal), blend \(blend)", fileName: "a.apng",
                    options: "format='PNG', disposal=\(disposal), blend=\(blend), loop=0")
            }
        }
        + [
            Kind(testDescription: "WebP, lossless", fileName: "a.webp", options: "lossless=True, loop=0"),
            Kind(testDescription: "WebP, lossy", fileName: "a.webp", options: "quality=80, loop=0"),
            Kind(testDescription: "WebP, mixed", fileName: "a.webp", options: "allow_mixed=True, kmin=3, kmax=5, loop=0"),
        ]

    @Test("Every frame has its pixels and time: forward, backwards, in random order and looping", arguments: kinds)
    func frames(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(kind.fileName)
        let witness = try await PillowFrames.made(
            path, delays: [100, 50, 10, 0, 20, 30, 200, 500], options: kind.options, in: directory)
        try check(path, witness)
    }

    @Test("The last frame of an otherwise even animation lasts as long as the file says", arguments: kinds)
    func longEnd(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(kind.fileName)
        let witness = try await PillowFrames.made(
            path, delays: [100, 100, 100, 100, 2000], options: kind.options, in: directory)
        try check(path, witness)
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.frameRate == FrameRate(10))
        #expect(video.duration == MediaTime(Rational(24, 10)))
    }

    @Test("An even animation has a constant rate, and the end that follows from it", arguments: kinds)
    func even(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(kind.fileName)
        _ = try await PillowFrames.made(path, delays: [40, 40, 40, 40, 40], options: kind.options, in: directory)
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.frameRate == FrameRate(25) && !video.isVariableFrameRate)
        #expect(video.duration == MediaTime(Rational(1, 5)))
    }

    @Test("An animation of one frame is a still", arguments: kinds.filter { !$0.isLossy })
    func single(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(kind.fileName)
        let witness = try await PillowFrames.made(path, delays: [100], options: kind.options, in: directory)
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.isStill && !video.isAnimatedPicture)
        let frame = try FrameReader(SourceReference(facts: facts, path: path)).frame(at: .zero)
        #expect(try PillowFrames.seen(frame, video) == witness.pictures[0])
    }

    @Test(
        "Real animations equal what Pillow reads, frame by frame",
        .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
        arguments: ["anim_iss.gif", "anim_iss.apng", "anim_iss.webp"])
    func real(_ name: String) async throws {
        let path = SharedMedia.file("image/\(name)")
        try check(path, try await PillowFrames.read(path, in: try TemporaryDirectory()))
    }

    private func check(_ path: String, _ witness: PillowFrames) throws {
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.size == witness.size && video.hasAlpha)
        #expect(!video.isStill && video.isAnimatedPicture)
        try #require(video.frameCount == witness.pictures.count)
        #expect((video.duration - witness.times[witness.times.count - 1]).seconds.magnitude <= Rational(1, 1000))
        let reader = try FrameReader(SourceReference(facts: facts, path: path))
        var wrong: [String] = []
        func compare(_ index: Int, _ part: Rational, reversed: Bool = false) throws {
            // Backwards, a frame is requested a little after its start, because exactly at its start the previous frame
            // is shown.
            let length = (witness.times[index + 1] - witness.times[index]) * part
            let frame = try reader.frame(at: witness.times[index] + length, reversed: reversed)
            if try PillowFrames.seen(frame, video) != witness.pictures[index] { wrong.append("\(index) + \(length)") }
        }
        var random = RandomNumbers(seed: 3)
        let rising = Array(witness.pictures.indices)
        for index in rising { try compare(index, .zero) }
        for index in rising { try compare(index, Rational(1, 4)) }
        for index in rising.reversed() { try compare(index, .one, reversed: true) }
        for index in rising.shuffled(using: &random) { try compare(index, Rational(1, 4)) }
        #expect(wrong == [])
    }
}
