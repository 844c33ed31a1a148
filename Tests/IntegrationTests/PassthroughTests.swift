import ExactTime
import ExportPlan
import SampleMedia
import Testing
import TestSupport
import FoundationEssentials

/// Films whose pictures are copied: every frame is bit-identical to the source's, the first and last frames are the
/// requested ones, and the sound keeps its position.
@Suite struct PassthroughTests {
    /// Writes a source of 320 x 180 at 25 frames per second, with B-frames and open groups of pictures.
    private func source(_ name: String, in directory: TemporaryDirectory, _ options: [String] = []) async throws -> String {
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi", "-i",
                "aevalsrc=0.3*sin(2*PI*(300+60*t)*t):sample_rate=48000:duration=8", "-c:v", "libx264", "-preset", "fast", "-g",
                "40", "-bf",
                "3", "-x264-params", "open-gop=1", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + options + [path])
        return path
    }

    private func draft(_ start: String, _ duration: String, _ more: String = "") -> String {
        """
        {"version": 1, "mainTrackClips": [{"type": "av", "url": "s.mp4", "timeRange": {"start": \(start), "duration": \(duration)}}]\(more)}
        """
    }

    private func frames(_ path: String) async throws -> [[UInt8]] {
        try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: 320 * 180 * 3 / 2)
    }

    @Test(
        "A trim has the source's own frames, from the first to the last, and its sound",
        arguments: [
            ("a.mp4", 0.0, 8.0), ("b.mp4", 1.0, 2.52), ("c.mov", 3.2, 4.8), ("d.mp4", 1.6, 1.6), ("e.mov", 5.04, 0.04),
            ("f.mp4", 6.96, 1.0),
        ])
    func trim(_ name: String, _ start: Double, _ duration: Double) async throws {
        let directory = try TemporaryDirectory()
        let source = try await source("s.mp4", in: directory)
        let film = try await SpoolTool.run([
            "export", try write(draft("\(start)", "\(duration)"), in: directory), "-o", directory.file(name), "--preset",
            "passthrough",
        ])
        #expect(film.status == 0, "\(film.errors)")
        #expect(film.output.contains("pictures and sound copied from s.mp4"))
        let first = Int((start * 25).rounded())
        let count = Int((duration * 25).rounded())
        let wanted = Array(try await frames(source)[first..<first + count])
        let seen = try await frames(directory.file(name))
        #expect(seen.count == count)
        #expect(seen == wanted)
        let sound = try await Waveform.decode(directory.file(name), sampleRate: 48_000, channels: 1).channel(0)
        let whole = try await Waveform.decode(source, sampleRate: 48_000, channels: 1).channel(0)
        let from = Int((start * 48_000).rounded())
        let length = Int((duration * 48_000).rounded())
        // ffmpeg decodes the last packet to its end.
        #expect(sound.count >= length && sound.count < length + 1024)
        let differences = zip(sound.prefix(length), whole.dropFirst(from)).map { abs($0 - $1) }
        #expect((differences.max() ?? 1) < 0.001)
    }

    @Test(
        "Reordered pictures are copied from any container, also from those without decoding times at the start",
        arguments: TestForm.part(2, of: ["mkv", "ts", "flv", "nut", "mov"]), [(0.0, 8.0), (1.6, 3.2), (2.04, 1.0), (7.88, 0.12)])
    func containers(_ type: String, _ range: (start: Double, duration: Double)) async throws {
        let directory = try TemporaryDirectory()
        let even = try await source("s.mp4", in: directory)
        let source = directory.file("s.\(type)")
        try await FFmpegTool.ffmpeg(["-i", even, "-c", "copy", source])
        let document = draft("\(range.start)", "\(range.duration)").replacing("s.mp4", with: "s.\(type)")
        let film = directory.file("film.mp4")
        let outcome = try await SpoolTool.run(
            ["export", try write(document, in: directory), "-o", film, "--preset", "passthrough"])
        #expect(outcome.status == 0 && outcome.output.contains("pictures"), "\(outcome.errors)")
        let first = Int((range.start * 25).rounded())
        let wanted = Array(try await frames(even)[first..<first + Int((range.duration * 25).rounded())])
        #expect(try await frames(film) == wanted)
        let times = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pts,dts", "-of", "csv=p=0", film,
        ]).split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
        #expect(times.allSatisfy { $0.count == 2 && $0[1] <= $0[0] })
        #expect(zip(times, times.dropFirst()).allSatisfy { $0[1] < $1[1] })
    }

    private func write(_ draft: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("A container gives the length of what is shown")
    func length() async throws {
        let directory = try TemporaryDirectory()
        _ = try await source("s.mp4", in: directory)
        let film = directory.file("a.mp4")
        let outcome = try await SpoolTool.run([
            "export", try write(draft("1.48", "2.2"), in: directory), "-o", film, "--preset", "passthrough",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try await FFmpegTool.ffprobe([
            "-show_entries", "format=duration:stream=duration,start_time", "-of", "csv=p=0", film,
        ])
        let numbers = text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        #expect(numbers == [0, 2.2, 0, 2.2, 2.2])
    }

    @Test("Sound is mixed in while the pictures are copied")
    func mixedSound() async throws {
        let directory = try TemporaryDirectory()
        let source = try await source("s.mp4", in: directory)
        let more =
            #", "audioClips": [{"url": "s.mp4", "timeRange": {"start": 0, "duration": 2}, "startTimeAtMainTrack": 0, "volume": 0.5}]"#
        let path = try write(draft("2", "3", more), in: directory)
        let film = try await SpoolTool.run(["export", path, "-o", directory.file("a.mp4"), "--preset", "passthrough"])
        #expect(film.status == 0, "\(film.errors)")
        #expect(film.output.contains("pictures copied from s.mp4"))
        #expect(try await frames(directory.file("a.mp4")) == Array(try await frames(source)[50..<125]))
        let full = try await SpoolTool.run(["export", path, "-o", directory.file("b.mp4")])
        #expect(full.status == 0)
        let copied = try await Waveform.decode(directory.file("a.mp4"), sampleRate: 44_100, channels: 2)
        let encoded = try await Waveform.decode(directory.file("b.mp4"), sampleRate: 44_100, channels: 2)
        #expect(copied.channel(0) == encoded.channel(0))
    }

    @Test("Unevenly timed pictures keep their times, and a film begins with the picture shown at that time")
    func variableRate() async throws {
        let directory = try TemporaryDirectory()
        let even = try await source("even.mp4", in: directory, ["-bf", "2"])
        let path = directory.file("s.mp4")
        try await FFmpegTool.ffmpeg([
            "-i", even, "-vf", "select='not(between(n,3,40))*not(mod(n,3)*gt(n,90))'", "-fps_mode", "vfr", "-c:v", "libx264",
            "-bf", "2", "-g",
            "200", "-c:a", "copy", path,
        ])
        let film = try await SpoolTool.run([
            "export", try write(draft("1", "4"), in: directory), "-o", directory.file("a.mp4"), "--preset", "passthrough",
        ])
        #expect(film.status == 0, "\(film.errors)")
        func times(_ path: String) async throws -> [Double] {
            let text = try await FFmpegTool.ffprobe([
                "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time", "-of", "csv=p=0", path,
            ])
            return text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        }
        let all = try await times(path)
        let seen = try await times(directory.file("a.mp4"))
        // At 1 s the picture of 0.08 s is shown; it stays until 1.64 s.
        let first = try #require(all.lastIndex { $0 <= 1 })
        let last = try #require(all.lastIndex { $0 < 4.999 })
        #expect(seen.count == last - first + 1)
        #expect(seen[0] == 0)
        #expect(zip(seen.dropFirst(), all[(first + 1)...]).allSatisfy { abs($0 - ($1 - 1)) < 0.0005 })
        let pictures = try await frames(path)
        #expect(try await frames(directory.file("a.mp4")) == Array(pictures[first...last]))
    }

    @Test("An AV1 film begins at a keyframe, because its decoders show what an edit list hides")
    func keyframes() async throws {
        let directory = try TemporaryDirectory()
        let flat = try await source("flat.mp4", in: directory)
        let path = directory.file("s.mp4")
        try await FFmpegTool.ffmpeg([
            "-i", flat, "-c:v", "libsvtav1", "-preset", "12", "-g", "50", "-svtav1-params", "irefresh-type=2", "-c:a", "copy",
            path,
        ])
        let arguments = ["-o", directory.file("a.mp4"), "--preset", "passthrough"]
        let between = try await SpoolTool.run(["export", try write(draft("3", "2"), in: directory)] + arguments)
        #expect(between.status == 65)
        #expect(between.errors.contains("mainTrackClips[0].timeRange.start: must be at a keyframe"), "\(between.errors)")
        let film = try await SpoolTool.run(["export", try write(draft("2", "3"), in: directory)] + arguments)
        #expect(film.status == 0, "\(film.errors)")
        #expect(try await frames(directory.file("a.mp4")) == Array(try await frames(path)[50..<125]))
    }

    @Test("A phone's upright film stays upright")
    func rotated() async throws {
        let directory = try TemporaryDirectory()
        let flat = try await source("flat.mp4", in: directory)
        try await FFmpegTool.ffmpeg(["-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", directory.file("s.mp4")])
        let film = try await SpoolTool.run([
            "export", try write(draft("1", "2"), in: directory), "-o", directory.file("a.mp4"), "--preset", "passthrough",
        ])
        #expect(film.status == 0, "\(film.errors)")
        let matroska = try await SpoolTool.run([
            "export", directory.file("draft.json"), "-o", directory.file("a.mkv"), "--preset", "passthrough",
        ])
        #expect(matroska.status == 65)
        #expect(matroska.errors.contains("mainTrackClips[0].url: has pictures that are rotated, which a "), "\(matroska.errors)")
        #expect(matroska.errors.contains(" file cannot describe; choose "), "\(matroska.errors)")
        let rotated = try await FFprobeReport.of(directory.file("s.mp4")).video?.sideDataList?.first?.rotation
        #expect(rotated != nil && rotated != 0)
        #expect(try await FFprobeReport.of(directory.file("a.mp4")).video?.sideDataList?.first?.rotation == rotated)
    }

    @Test(
        "Media that cannot be copied are an error at their place",
        arguments: [
            (#", "filters": [{"type": "grayscale"}]"#, "", "", "mainTrackClips[0].filters: changes the pictures"),
            (#", "speed": 2"#, "", "", "mainTrackClips[0].speed: changes the pictures"),
            (
                "",
                #", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "\u0023ff0000"}}]"#,
                "", "layers: changes"
            ),
            ("", #", "videoSize": {"width": 640, "height": 360}"#, "", "videoSize: must be 320x180"),
            ("", #", "frameRate": 30"#, "", "frameRate: must be 25"),
            ("", "", "videoQuality=20", "settings.videoQuality: is not supported with passthrough"),
            ("", "", "fileType=m4a", "settings.fileType: must be mp4, mov, webm, mkv or ts for passthrough"),
            ("", "", "fileType=webm", "mainTrackClips[0].url: has pictures in h264, which passthrough cannot copy into a webm"),
            // The source's groups of pictures depend on each other.
            (
                #", "timeRange": {"start": 1, "duration": 3}"#, "", "fileType=mkv",
                "mainTrackClips: show no whole group of pictures"
            ),
        ])
    func refused(_ clip: String, _ draft: String, _ setting: String, _ message: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try await source("s.mp4", in: directory)
        let path = try write(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "s.mp4"\#(clip)}]\#(draft)}"#, in: directory)
        let settings = setting.isEmpty ? [] : ["--set", setting]
        let outcome = try await SpoolTool.run(
            ["export", path, "-o", directory.file("a.mp4"), "--preset", "passthrough"] + settings)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
