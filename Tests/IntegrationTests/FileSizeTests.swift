import Testing
import TestSupport
import FoundationEssentials

/// Films that may have a size: they are never larger, and use what they have.
@Suite("Film of a greatest size")
struct FileSizeTests {
    /// Seven seconds of moving pictures with noise, from calm to busy, with sound that is silent for half of the time.
    private func draft(in directory: TemporaryDirectory) async throws -> String {
        for (name, picture) in [("busy.mp4", "noise=alls=24:allf=t:all_seed=7"), ("calm.mp4", "gblur=6")] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4,\(picture)", "-f", "lavfi", "-i",
                "aevalsrc=0.3*sin(700*t)*gt(mod(t\\,2)\\,1):d=4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "10", "-g",
                "50", directory.file(name),
            ])
        }
        return """
            {"version": 1, "frameRate": 25, "title": "Budget", "mainTrackClips": [
              {"type": "av", "url": "calm.mp4"}, {"type": "av", "url": "busy.mp4", "transition": {"duration": 1}}]}
            """
    }

    @Test(
        "A film is never larger than it may be, uses 97 % of it, and has the same bytes from one and two processes",
        arguments: TestForm.part(
            2, of: [("mp4", 600_000), ("ts", 600_000), ("mov", 700_000), ("mkv", 600_000), ("webm", 500_000)]))
    func size(_ type: String, _ limit: Int) async throws {
        let directory = try TemporaryDirectory()
        let draft = try await draft(in: directory)
        var films: [Data] = []
        for jobs in type == "mp4" ? ["1", "2"] : ["2"] {
            let film = try await SpoolTool.export(
                draft, in: directory, name: "\(jobs).\(type)",
                [
                    "--set", "fileSizeLimit=\(limit)", "--set", "encoderSpeed=veryfast", "--jobs", jobs, "--cache",
                    directory.file("cache\(jobs)"),
                ])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
        }
        let used = Double(films[0].count) / Double(limit)
        print("file size: \(type): \((used * 1000).rounded() / 10) % of \(limit) bytes")
        #expect(used <= 1 && used >= (type == "ts" ? 0.9 : 0.97))
        #expect(films.allSatisfy { $0 == films[0] })
    }

    @Test("Noise that cannot be made small enough fails with the sizes, and leaves no file")
    func impossible() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=640x360:r=25:d=2,geq=random(1)*255:128:128", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            "-qp", "0", directory.file("noise.mp4"),
        ])
        let error = await #expect(throws: FFmpegTool.Failure.self) {
            try await SpoolTool.export(
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "noise.mp4"}]}"#, in: directory, name: "f.mp4",
                ["--set", "fileSizeLimit=12000", "--set", "audioBitrate=16000"])
        }
        let message = error?.description ?? ""
        let words = "'fileSizeLimit' of 12000 bytes cannot be met: at the lowest quality the film has "
        #expect(message.contains(words), "\(message)")
        #expect(message.contains(" bytes; give a larger one, or a smaller picture"), "\(message)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("f.mp4")))
    }

    @Test("The stream declares the level that was asked for", arguments: [("h264", "4.1", "41"), ("hevc", "5", "150")])
    func level(_ codec: String, _ level: String, _ declared: String) async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            try await draft(in: directory), in: directory,
            ["--set", "videoCodec=\(codec)", "--set", "level=\(level)", "--set", "encoderSpeed=veryfast"])
        let found = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=level", "-of", "csv=p=0", film,
        ])
        #expect(found.filter(\.isNumber) == declared)
    }
}
