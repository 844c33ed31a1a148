import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Films with a bit budget: bits go where the pictures need them, and the whole budget is used.
@Suite struct BitrateTests {
    /// Three clips of moving pictures with noise, from busy to calm, and a transition.
    private func sources(_ directory: TemporaryDirectory) async throws {
        let kinds = [
            ("busy.mp4", "testsrc2=s=320x180:r=25:d=5,noise=alls=24:allf=t:all_seed=7"),
            ("calm.mp4", "testsrc2=s=320x180:r=25:d=5,gblur=6"),
        ]
        for (name, source) in kinds {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "10", "-g", "50",
                directory.file(name),
            ])
        }
    }

    private static let draft = """
        {"version": 1, "frameRate": 25, "mainTrackClips": [
          {"type": "av", "url": "calm.mp4"}, {"type": "av", "url": "busy.mp4", "transition": {"type": "dissolve", "duration": 1}},
          {"type": "av", "url": "calm.mp4", "timeRange": {"start": 2, "duration": 1.2}}]}
        """

    /// The sizes of the video packets in bits.
    private func bits(_ film: String) async throws -> [Int] {
        try await FFmpegTool.ffprobe(["-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0", film])
            .split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }.map { $0 * 8 }
    }

    @Test(
        "A film has its bit budget within 3 %, and the same bytes from one and two processes",
        arguments: TestForm.part(
            2,
            of: [
                ("mp4", "h264", 300_000), ("mp4", "hevc", 200_000), ("mp4", "h264", 1_500_000), ("webm", "vp9", 250_000),
                ("mp4", "av1", 250_000),
            ]))
    func size(_ type: String, _ codec: String, _ bitrate: Int) async throws {
        let directory = try TemporaryDirectory()
        try await sources(directory)
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let film = try await SpoolTool.export(
                BitrateTests.draft, in: directory, name: "\(jobs).\(type)",
                [
                    "--set", "videoCodec=\(codec)", "--set", "videoBitrate=\(bitrate)", "--set", "encoderSpeed=veryfast",
                    "--jobs", jobs,
                    "--cache", directory.file("cache\(jobs)"),
                ])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            guard jobs == "1" else { continue }
            let packets = try await bits(film)
            #expect(packets.count == 255)
            let seconds = 255.0 / 25
            let ratio = Double(packets.reduce(0, +)) / seconds / Double(bitrate)
            print("bitrate: \(codec) at \(bitrate): \((ratio * 1000).rounded() / 10) % of it")
            #expect(abs(ratio - 1) <= 0.03)
            // Frames 0..<100 are calm, frames 125..<225 are busy.
            let calm = packets[..<100].reduce(0, +)
            let busy = packets[125..<225].reduce(0, +)
            #expect(busy > calm * 2, "bits go where they are needed")
        }
        #expect(films[0] == films[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache2/tmp")).isEmpty)
    }

    @Test(
        "Extreme bitrates for black and noise are met as far as the codec can, and the segments are joined",
        arguments: TestForm.part(1, of: ["h264", "hevc", "vp9", "av1"]))
    func extremes(_ codec: String) async throws {
        let directory = try TemporaryDirectory()
        try await sources(directory)
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=black:s=320x180:r=25:d=2", "-pix_fmt", "yuv420p", directory.file("black.mp4"),
        ])
        let draft = """
            {"version": 1, "frameRate": 25, "mainTrackClips": [
              {"type": "av", "url": "black.mp4"}, {"type": "av", "url": "busy.mp4", "timeRange": {"start": 0, "duration": 0.2}}]}
            """
        var sizes: [Int] = []
        for bitrate in [20_000, 2_000_000, 100_000_000] {
            let film = try await SpoolTool.export(
                draft, in: directory, name: codec == "vp9" ? "film.webm" : "film.mp4",
                ["--set", "videoCodec=\(codec)", "--set", "videoBitrate=\(bitrate)", "--set", "encoderSpeed=veryfast"])
            let packets = try await bits(film)
            #expect(packets.count == 55)
            sizes.append(packets.reduce(0, +))
        }
        #expect(sizes == sizes.sorted() && sizes[0] * 4 < sizes[2], "\(sizes)")
    }

    @Test("A repeated export renders nothing, and one with another bitrate measures nothing again")
    func reuse() async throws {
        let directory = try TemporaryDirectory()
        try await sources(directory)
        func rendered(_ bitrate: Int) async throws -> [Int] {
            try Data(BitrateTests.draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
            let outcome = try await SpoolTool.run([
                "export", directory.file("d.json"), "-o", directory.file("film.mp4"), "--set", "videoBitrate=\(bitrate)", "--set",
                "encoderSpeed=ultrafast", "--cache", directory.file("cache"),
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let counts = outcome.errors.split(separator: " ").compactMap { word -> Int? in
                guard word.contains("/"), let total = word.split(separator: "/").last else { return nil }
                return Int(total)
            }
            return Array(Set(counts))
        }
        #expect(try await rendered(300_000) == [510])
        #expect(try await rendered(300_000) == [])
        #expect(try await rendered(310_000) == [255])
    }
}
