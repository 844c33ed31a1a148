import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Several threads decode a source to the frames and the warnings of one thread, whatever is damaged in it, and damaged
/// frames do not depend on what the memory held before.
@Suite("Threads of decoders")
struct DecoderThreadTests {
    /// Sources whose codecs are decoded in threads, in several structures.
    static let threaded =
        NumberedSource.all.filter {
            ["own.mp4", "vp9.webm", "h264.ts", "h264.mkv", "open.mov", "long.mp4", "variable.mp4"].contains($0.fileName)
        } + structures.filter { !["pyramid.mp4", "fields.mkv"].contains($0.fileName) }

    private static let structures = [
        h264("H.264 in slices, with weighted prediction", "slices.mp4", "slices=4:weightp=2:bframes=3:b-pyramid=normal"),
        h264("H.264 without arithmetic coding", "cavlc.mp4", "cabac=0:bframes=2:ref=4"),
        h264("H.264 with constrained intra prediction and few keyframes", "intra.mp4", "constrained-intra=1:keyint=300"),
        h264("interlaced H.264", "fields.mkv", "interlaced=1:bframes=2:tff=1"),
        NumberedSource(
            "HEVC with a pyramid of B-frames", "pyramid.mp4",
            [
                "-c:v", "libx265", "-preset", "fast", "-x265-params",
                "bframes=4:b-pyramid=1:keyint=36:min-keyint=36:log-level=none",
            ]),
    ]

    private static func h264(_ description: String, _ fileName: String, _ parameters: String) -> NumberedSource {
        NumberedSource(
            description, fileName, ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-x264-params", parameters])
    }

    /// Pictures and warnings of a reader at some times.
    private struct Shown: Equatable {
        var pictures: [PlanarPicture] = []
        var warnings: [SourceWarning] = []
        /// The error that ended it, if there was one.
        var error: String?
        var threads = 0
    }

    private func shown(
        _ source: SourceReference, _ times: [MediaTime], reversed: Bool, threads: Int, holdsFrames: Bool = false
    ) -> Shown {
        var shown = Shown()
        var held: [VideoFrame] = []
        let log = DamageLog()
        do {
            let reader = try FrameReader(source, threads: threads, damage: log)
            for time in times {
                let frame = try reader.frame(at: time, reversed: reversed)
                if holdsFrames { held.append(frame) }
                shown.pictures.append(PlanarPicture(frame))
            }
            shown.threads = reader.threads
        } catch {
            shown.error = "\(error)"
        }
        shown.warnings = log.warnings
        return shown
    }

    /// Compares one thread with several, forwards, backwards and at scattered times.
    /// - Returns: what is different, and whether some of the readers kept their threads to the end.
    private func compare(
        _ source: SourceReference, seed: UInt64
    ) throws -> (differences: [String], keptThreads: Bool) {
        let video = try #require(source.facts.video)
        let times = (0..<max(1, min(80, video.frameCount))).map { video.frameRate.time(ofFrame: $0) }
        var random = RandomNumbers(seed: seed)
        let scattered = Array(times.shuffled(using: &random).prefix(16))
        var differences: [String] = []
        var keptThreads = false
        for (name, times, reversed) in [
            ("forwards", times, false), ("backwards", times.reversed(), true), ("scattered", scattered, false),
        ] {
            var one = shown(source, times, reversed: reversed, threads: 1)
            if one != shown(source, times, reversed: reversed, threads: 1, holdsFrames: true) {
                differences.append("\(name) while all frames are held")
            }
            one.threads = 0
            for threads in [2, 4] {
                var several = shown(source, times, reversed: reversed, threads: threads)
                keptThreads = keptThreads || several.threads == threads
                several.threads = 0
                if several != one {
                    let first = zip(one.pictures, several.pictures).enumerated().first { $1.0 != $1.1 }?.offset
                    let warnings = one.warnings == several.warnings ? "the same" : "other"
                    differences.append(
                        """
                        \(name) with \(threads) threads: first at \(first.map { "\($0)" } ?? "no picture"), \(warnings) warnings, \
                        \(one.error ?? "no error"), \(several.error ?? "no error")
                        """)
                }
            }
        }
        return (differences, keptThreads)
    }

    @Test("Several threads give the frames of one, and are kept in an intact source", arguments: threaded)
    func intact(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let (differences, keptThreads) = try compare(try await kind.write(in: directory), seed: 1)
        #expect(differences == [])
        #expect(keptThreads)
    }

    @Test(
        "Several threads give the frames and the warnings of one in damaged sources",
        arguments: NumberedSource.all + structures)
    func damaged(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let path = try await kind.write(in: directory).path
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var differences: [String] = []
        var lostThreads = 0
        for seed in DecoderThreadTests.seeds {
            let damaged = "\(path).\(seed)"
            try Data(DecoderThreadTests.damage(bytes, seed: seed)).write(to: URL(fileURLWithPath: damaged))
            // A file whose damage lies in its index may be refused.
            guard let facts = try? Probe.facts(ofFile: damaged), facts.video != nil else { continue }
            let found = try compare(SourceReference(facts: facts, path: damaged), seed: seed)
            differences += found.differences.map { "seed \(seed): \($0)" }
            lostThreads += found.keptThreads ? 0 : 1
            try FileManager.default.removeItem(atPath: damaged)
        }
        #expect(differences == [])
        #expect(lostThreads > 0)
    }

    @Test("A picture that has a slice twice is decoded by one thread")
    func doubledSlice() async throws {
        let directory = try TemporaryDirectory()
        let whole = try await DecoderThreadTests.h264("H.264 in slices", "s.mp4", "slices=4:bframes=0").write(in: directory)
        let (stream, doubled) = (directory.file("stream.h264"), directory.file("doubled.mkv"))
        try await FFmpegTool.ffmpeg(["-i", whole.path, "-c", "copy", "-bsf:v", "h264_mp4toannexb", stream])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: stream)))
        let starts = bytes.indices.dropLast(3).filter { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }
        // The 42nd slice of a picture between keyframes, which is the second one of its picture, behind the third one.
        let slices = starts.indices.filter { bytes[starts[$0] + 3] & 31 == 1 }
        let (second, third) = (slices[41], slices[42])
        let copy = bytes[starts[second]..<starts[second + 1]]
        let changed = bytes[..<starts[third + 1]] + copy + bytes[starts[third + 1]...]
        try Data(changed).write(to: URL(fileURLWithPath: stream))
        try await FFmpegTool.ffmpeg(["-r", "30", "-i", stream, "-c", "copy", doubled])
        let source = SourceReference(facts: try Probe.facts(ofFile: doubled), path: doubled)
        let (differences, keptThreads) = try compare(source, seed: 1)
        #expect(differences == [])
        #expect(!keptThreads)
    }

    /// The seeds of damage: few in the short form of the tests, and `DECODER_THREAD_SEEDS=FROM-TO` for others.
    private static var seeds: ClosedRange<UInt64> {
        let given = ProcessInfo.processInfo.environment["DECODER_THREAD_SEEDS"]?.split(separator: "-").compactMap { UInt64($0) }
        if let given, given.count == 2 { return given[0]...given[1] }
        return 1...(TestForm.isShort ? 4 : 16)
    }

    /// The bytes of a file with damage in its first three quarters, where the pictures are: changed bits, zeros in a row,
    /// noise, or a part that is overwritten with another one.
    private static func damage(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var random = RandomNumbers(seed: seed)
        var bytes = bytes
        func place() -> Int { Int.random(in: bytes.count / 16..<bytes.count * 3 / 4, using: &random) }
        let length = 1 << Int.random(in: 3...11, using: &random)
        switch seed % 4 {
        case 0:
            for _ in 0..<Int.random(in: 1...12, using: &random) { bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1:
            let first = place()
            for index in first..<min(bytes.count, first + length) { bytes[index] = 0 }
        case 2:
            for _ in 0..<3 {
                let first = place()
                for index in first..<min(bytes.count, first + length) { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            }
        default:
            let (from, to) = (place(), place())
            for index in 0..<length where max(from, to) + index < bytes.count { bytes[to + index] = bytes[from + index] }
        }
        return bytes
    }
}
