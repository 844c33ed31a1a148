import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Concealed damage is reported with its place and amount, and intact parts are not.
@Suite("Damage in sources")
struct DamageWarningTests {
    /// Each source has three groups of 24 pictures. The keyframe of the second group is made unreadable.
    static let kinds = NumberedSource.all.filter {
        ["h264.mkv", "vp9.webm", "mpeg4.avi"].contains($0.fileName)
    }

    @Test("Each picture after a missing keyframe is reported once and no other, in both directions", arguments: kinds)
    func missingKeyframe(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let whole = try await kind.write(in: directory)
        let keyframes = try #require(whole.facts.video?.keyframes)
        try #require(keyframes.count > 2)
        let rate = try #require(whole.facts.video?.frameRate)
        let bad = keyframes[1]..<keyframes[2]
        try await damage(whole.path, keyframe: 1)
        let source = SourceReference(facts: try Probe.facts(ofFile: whole.path), path: whole.path)
        let times = (0..<72).map { rate.time(ofFrame: $0) }

        func affected(_ times: [MediaTime], reversed: Bool = false) throws -> [SourceWarning] {
            let log = DamageLog()
            let reader = try FrameReader(source, damage: log)
            for time in times { _ = try reader.frame(at: time, reversed: reversed) }
            return log.warnings
        }
        let all = try affected(times)
        let count = times.filter { bad.contains($0) }.count
        #expect(all.reduce(0) { $0 + $1.count } == count, "\(all)")
        #expect(all.allSatisfy { [.frozenPictures, .damagedPictures].contains($0.code) }, "\(all)")
        let half = rate.frameDuration.doubleValue / 2
        #expect(all.allSatisfy { $0.time > bad.lowerBound.doubleValue - half }, "\(all)")
        #expect(all.allSatisfy { ($0.end ?? $0.time) < bad.upperBound.doubleValue - half }, "\(all)")
        #expect(try affected(times.filter { !bad.contains($0) }) == [])
        // The source is also read in short ranges, as segments read it.
        let batches = try stride(from: 0, to: 72, by: 5).flatMap { try affected(Array(times[$0..<min(72, $0 + 5)])) }
        #expect(batches.combined == all)
    }

    @Test("An intact source gives no warnings", arguments: NumberedSource.all)
    func whole(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let video = try #require(source.facts.video)
        for reversed in [false, true] {
            let log = DamageLog()
            let reader = try FrameReader(source, damage: log)
            let frames = Array(0..<video.frameCount)
            for frame in reversed ? frames.reversed() : frames {
                _ = try reader.frame(at: video.frameRate.time(ofFrame: frame), reversed: reversed)
            }
            #expect(log.warnings == [])
        }
    }

    @Test("Sound that cannot be decoded is reported with its place and its samples")
    func sound() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("tone.m4a")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "sine=440:d=4:r=48000", "-c:a", "aac", path])
        let times = try await packets(of: path, "a")
        for packet in times[100..<104] { try overwrite(path, packet) }
        let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        func warnings(_ samples: Range<Int>) throws -> [SourceWarning] {
            let log = DamageLog()
            let reader = try SoundReader(source, sampleRate: 48_000, channels: 1, damage: log)
            var block = [Float](repeating: 0, count: 4800)
            for start in stride(from: samples.lowerBound, to: samples.upperBound, by: 4800) {
                try block.withUnsafeMutableBufferPointer { buffer in
                    if let base = buffer.baseAddress { try reader.read(from: start, count: 4800, into: base) }
                }
            }
            return log.warnings
        }
        let all = try warnings(0..<192_000)
        let found = try #require(all.first)
        #expect(all.count == 1 && found.code == .damagedSound)
        // Four packets of 1024 samples are damaged, two seconds after the start.
        #expect(abs(found.count - 4096) <= 1024 && abs(found.time - 99 * 1024 / 48_000) < 0.05, "\(found)")
        #expect(try warnings(0..<96_000) == [])
        #expect(try warnings(115_200..<192_000) == [])
    }

    private struct StoredPacket {
        var place: Int
        var byteCount: Int
        var isKeyframe: Bool
    }

    private func packets(of path: String, _ stream: String) async throws -> [StoredPacket] {
        let printed = try await FFmpegTool.ffprobe([
            "-select_streams", stream, "-show_entries", "packet=pos,size,flags", "-of", "csv=p=0", path,
        ])
        return printed.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",")
            let numbers = fields.compactMap { Int($0) }
            guard numbers.count == 2, let flags = fields.last(where: { Int($0) == nil }) else { return nil }
            return StoredPacket(place: numbers[1], byteCount: numbers[0], isKeyframe: flags.contains("K"))
        }
    }

    private func damage(_ path: String, keyframe number: Int) async throws {
        let keyframes = try await packets(of: path, "v").filter(\.isKeyframe)
        try overwrite(path, keyframes[number])
    }

    /// Overwrites a packet's payload with ones, except for the first bytes, which may belong to the container.
    private func overwrite(_ path: String, _ packet: StoredPacket) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let first = packet.place + (path.hasSuffix(".avi") || path.hasSuffix(".mkv") || path.hasSuffix(".webm") ? 12 : 0)
        for index in first..<(packet.place + packet.byteCount) { bytes[index] = 0xFF }
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
