import ExactTime
import ExportPlan
import Testing
import TestSupport
import FoundationEssentials

/// Films of uncompressed pictures, in files and through pipes, read back by ffmpeg.
@Suite struct UncompressedTests {
    private static let draft = """
        {"version": 1, "frameRate": 25, "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 1, "duration": 7}},
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 1}}]}
        """
    private static let wanted = Array(25..<200) + Array(75..<100)

    private func films(_ type: String, in directory: TemporaryDirectory) async throws -> [String] {
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 220)
        var films: [String] = []
        for jobs in ["1", "2"] {
            films.append(
                try await SpoolTool.export(
                    UncompressedTests.draft, in: directory, name: "\(jobs).\(type)",
                    ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")]))
        }
        return films
    }

    private func shell(_ line: String, in directory: TemporaryDirectory) async throws -> SpoolTool.Outcome {
        try await ShellTool.run("cd '\(directory.path)'; set -o pipefail; export SPOOL='\(SpoolTool.executable)'; \(line)")
    }

    @Test("NUT holds every frame and sample, and ffmpeg reads it from a pipe")
    func nut() async throws {
        let directory = try TemporaryDirectory()
        let films = try await films("nut", in: directory)
        #expect(try Data(contentsOf: URL(fileURLWithPath: films[0])) == Data(contentsOf: URL(fileURLWithPath: films[1])))
        #expect(try await SourceClips.numbers(of: films[0]) == UncompressedTests.wanted)
        #expect(try await Waveform.decode(films[0], sampleRate: 44_100, channels: 2).count == 8 * 44_100)
        let streams = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=codec_name,pix_fmt,avg_frame_rate", "-of", "csv=p=0", films[0],
        ])
        #expect(streams == "rawvideo,yuv420p,25/1\npcm_s16le,0/0\n")
        let piped = try await shell(
            "\"$SPOOL\" export 1.nut.json -o - --set fileType=nut --cache cache1 | tee piped | "
                + "ffmpeg -v error -i - -map 0:v -f rawvideo -y pictures -map 0:a -f s16le -y samples && cmp piped 1.nut",
            in: directory)
        #expect(piped.status == 0, "\(piped.errors)")
        let sizes = try ["pictures", "samples"].map { try Data(contentsOf: URL(fileURLWithPath: directory.file($0))).count }
        let pixels = SourceClips.size.width * SourceClips.size.height
        #expect(sizes == [200 * pixels * 3 / 2, 8 * 44_100 * 4])
    }

    @Test("Uncompressed pictures with transparency have the source's own pixels")
    func transparency() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=black:s=64x48:r=25:d=1,format=rgba,geq=r='X*4':g='Y*5':b='N*9':a='clip((X+Y+N)*3,0,255)'",
            "-c:v", "png", directory.file("moving.mov"),
        ])
        let film = try await SpoolTool.export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "moving.mov"}]}"#, in: directory, name: "f.nut",
            ["--set", "alpha=true"])
        var decoded: [Data] = []
        for input in [film, directory.file("moving.mov")] {
            let raw = directory.file("raw")
            try await FFmpegTool.ffmpeg(["-i", input, "-an", "-pix_fmt", "rgba", "-f", "rawvideo", raw])
            decoded.append(try Data(contentsOf: URL(fileURLWithPath: raw)))
        }
        #expect(decoded[0].count == 25 * 64 * 48 * 4 && decoded[0] == decoded[1])
    }

    @Test(
        "What uncompressed films do not have is refused",
        arguments: [
            ("f.nut", "videoBitrate=100000", "settings.videoBitrate: is not supported with uncompressed; leave it out"),
            ("f.nut", "videoQuality=20", "settings.videoQuality: is not supported with uncompressed; leave it out"),
            ("f.nut", "fileSizeLimit=100000", "settings.fileSizeLimit: is not supported with uncompressed; leave it out"),
            ("f.nut", "videoCodec=h264", "settings.videoCodec: a nut file cannot hold h264; it can hold rawvideo"),
            ("f.nut", "colorRange=hdr", "settings.colorRange: hdr needs 10 bits"),
        ])
    func refused(name: String, setting: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 220)
        let draft = directory.file("d.json")
        try Data(UncompressedTests.draft.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file(name), "--set", setting])
        #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
    }
}
