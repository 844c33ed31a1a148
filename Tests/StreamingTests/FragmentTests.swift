import Streaming
import TestSupport
import Testing
import FoundationEssentials

/// Fragments of files as ffmpeg decodes them, beside the files themselves.
@Suite("Fragments of files")
struct FragmentTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file(name)))
        return directory.file(name)
    }

    /// The hashes of the frames of a file, with their times in seconds.
    private func frames(_ file: String, _ map: String) async throws -> [(time: Double, hash: String)] {
        let list = directory.file("frames.md5")
        try await FFmpegTool.ffmpeg(["-copyts", "-i", file, "-map", map, "-f", "framemd5", list])
        let text = try String(contentsOf: URL(fileURLWithPath: list), encoding: .utf8)
        var clock = 1.0
        var frames: [(time: Double, hash: String)] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#tb 0: ") {
                let parts = line.dropFirst(7).split(separator: "/").compactMap { Double($0) }
                clock = parts[0] / parts[1]
            }
            let fields = line.split(separator: ",").map { $0.filter { $0 != " " } }
            guard !line.hasPrefix("#"), fields.count == 6, let ticks = Double(fields[2]) else { continue }
            frames.append((ticks * clock, fields[5]))
        }
        return frames
    }

    @Test(
        "A picture segment has the same frames behind its header, at the times that it gets",
        arguments: [
            ("libx264", ["-bf", "3", "-g", "30"], "avc1.64"),
            ("libx265", ["-x265-params", "bframes=4:log-level=1"], "hvc1.1.6.L"),
            ("libsvtav1", ["-preset", "12"], "av01.0."), ("libvpx-vp9", ["-deadline", "realtime", "-cpu-used", "8"], "vp09.00."),
        ])
    func pictures(_ encoder: String, _ options: [String], _ codec: String) async throws {
        let file = directory.file("segment.mp4")
        try await FFmpegTool.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=192x108:rate=24:duration=3", "-pix_fmt", "yuv420p", "-c:v", encoder] + options
                + (encoder == "libx265" ? ["-tag:v", "hvc1"] : []) + [file])
        let track = try MovieTrack(file: file)
        #expect(track.kind == .video(width: 192, height: 108) && track.samples.count == 72)
        #expect(CodecName.name(of: track)?.hasPrefix(codec) == true, "\(CodecName.name(of: track) ?? "nil")")
        let tick = track.samples[0].duration
        #expect(tick * 24 == track.timescale && track.samples.allSatisfy { $0.duration == tick })
        let fragment = MovieFragment(of: track, samples: track.samples.indices, number: 4, start: 240 * tick)
        let stream = try write(MovieHeader(of: track).bytes + fragment.bytes(from: file), "stream.mp4")
        let (whole, part) = (try await frames(file, "0:v"), try await frames(stream, "0:v"))
        #expect(whole.map(\.hash) == part.map(\.hash) && whole.count == 72)
        for (number, frame) in part.enumerated() { #expect(abs(frame.time - Double(240 + number) / 24) < 1e-3) }
    }

    @Test("Segments of one picture and of many are shown at their times behind one header", arguments: ["libx264", "libx265"])
    func shortSegments(_ encoder: String) async throws {
        let (short, long) = (directory.file("short.mp4"), directory.file("long.mp4"))
        for (file, count) in [(short, 1), (long, 24)] {
            try await FFmpegTool.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=size=192x108:rate=24:duration=2", "-frames:v", "\(count)", "-pix_fmt", "yuv420p"]
                    + ["-c:v", encoder] + (encoder == "libx265" ? ["-x265-params", "log-level=1"] : []) + [file])
        }
        let tracks = [try MovieTrack(file: short), try MovieTrack(file: long), try MovieTrack(file: short)]
        #expect(tracks[0].start == 0 && tracks[1].start > 0 && tracks[0].sampleEntry == tracks[1].sampleEntry)
        let tick = tracks[0].samples[0].duration
        for order in [[0, 1, 2], [1, 0, 2]] {
            var bytes = MovieHeader(of: tracks[order[0]]).bytes
            var count = 0
            for (number, index) in order.enumerated() {
                let track = tracks[index]
                let fragment = MovieFragment(of: track, samples: track.samples.indices, number: number, start: count * tick)
                bytes += try fragment.bytes(from: index == 1 ? long : short)
                count += track.samples.count
            }
            let found = try await frames(try write(bytes, "stream.mp4"), "0:v")
            #expect(found.count == 26)
            for (number, frame) in found.enumerated() { #expect(abs(frame.time - Double(number) / 24) < 1e-3, "\(order)") }
        }
    }

    @Test("Segments of a soundtrack that are joined have its samples, with what the encoder put in front before time 0")
    func sound() async throws {
        let file = directory.file("sound.m4a")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.3*sin(440*2*PI*t*(1+t/9))|0.2*sin(300*2*PI*t):duration=9.3:sample_rate=44100",
            "-c:a",
            "aac", file,
        ])
        let track = try MovieTrack(file: file)
        #expect(track.kind == .audio && track.start == 1024 && CodecName.name(of: track) == "mp4a.40.2")
        var bytes = MovieHeader(of: track).bytes
        var start = 0
        for first in stride(from: 0, to: track.samples.count, by: 100) {
            let samples = first..<min(first + 100, track.samples.count)
            bytes += try MovieFragment(of: track, samples: samples, number: first / 100, start: start).bytes(from: file)
            start += samples.count * 1024
        }
        let stream = try write(bytes, "stream.mp4")
        func samples(_ file: String) async throws -> [Float] {
            let raw = directory.file("raw")
            try await FFmpegTool.ffmpeg(["-i", file, "-map", "0:a", "-f", "f32le", raw])
            return try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        let (whole, joined) = (try await samples(file), try await samples(stream))
        #expect(joined.count == whole.count + 2 * 1024 && Array(joined[2048...]) == whole)
        let start0 = try await FFmpegTool.ffprobe(["-show_entries", "stream=start_pts", "-of", "csv=p=0", stream])
        #expect(start0.split(whereSeparator: \.isNewline).first == "-1024")
    }

    @Test("A file that is cut short or damaged is an error or a track, and nothing is read behind its end", arguments: 1...20)
    func damaged(_ seed: Int) async throws {
        let file = directory.file("segment.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=24:duration=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", file,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        var numbers = RandomNumbers(seed: UInt64(seed))
        var faults = 0
        for _ in 0..<50 {
            var damaged = bytes
            if Bool.random(using: &numbers) {
                damaged.removeLast(Int.random(in: 1...bytes.count, using: &numbers))
            } else {
                // The index is at the end of the file.
                for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                    let place = Int.random(in: (bytes.count - 900)..<bytes.count, using: &numbers)
                    damaged[place] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            let file = try write(damaged, "damaged.mp4")
            do {
                let track = try MovieTrack(file: file)
                #expect(track.samples.allSatisfy { $0.place.upperBound <= damaged.count })
                _ = CodecName.name(of: track)
                _ = MovieHeader(of: track).bytes
                _ = try MovieFragment(of: track, samples: track.samples.indices, number: 0, start: 0).bytes(from: file)
            } catch {
                faults += 1
            }
        }
        #expect(faults > 10)
        #expect(throws: StreamFault.self) { try MovieTrack(file: directory.file("nothing.mp4")) }
        #expect(throws: StreamFault.self) { try MovieTrack(file: directory.path) }
    }

    @Test("A file with two tracks is none of the farm's")
    func tracks() async throws {
        let file = directory.file("film.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x64:duration=1", "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "libx264",
            file,
        ])
        #expect(throws: StreamFault("the file has 2 tracks instead of one")) { try MovieTrack(file: file) }
    }
}
