import ExactTime
import ExportPlan
import Media
import SampleMedia
import Testing
import TestSupport
import FoundationEssentials

/// Films that are animated images, decoded by Pillow: every frame at its time, with the film's colours, and with the
/// same bytes for any number of processes.
@Suite struct AnimationFormatTests {
    /// An animated image as Pillow decodes it.
    private struct Shown {
        /// The number that each image shows, and its start in milliseconds.
        var images: [(number: Int, start: Int)] = []
        var milliseconds = 0
        var loop = ""
        var tags = ""
        /// The RGB pixels of the image at 1.48 s.
        var picture: [UInt8] = []

        init(_ film: String, in directory: TemporaryDirectory) async throws {
            let raw = directory.file("shown.raw")
            let lines = try await PythonTool.run(
                """
                import sys
                from PIL import Image
                film = Image.open(sys.argv[1])
                print(film.info.get("loop"), (film.info.get("comment") or film.info.get("xmp") or b"").decode().replace("\\n", " "))
                start = 0
                with open(sys.argv[2], "wb") as out:
                    for i in range(film.n_frames):
                        film.seek(i)
                        film.load()
                        picture = film.convert("RGB")
                        if start <= 1480: rgb = picture
                        print(int(film.info["duration"]))
                        start += film.info["duration"]
                        out.write(picture.convert("L").tobytes())
                    out.write(rgb.tobytes())
                """, [film, raw]
            ).split(separator: "\n")
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
            let count = SourceClips.size.width * SourceClips.size.height
            loop = String(lines[0].prefix { $0 != " " })
            tags = lines[0].dropFirst(loop.count + 1).description
            for (index, line) in lines.dropFirst().enumerated() {
                var luma = Array(bytes[index * count..<(index + 1) * count])
                let number = luma.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map {
                        NumberCode.read(
                            Plane(
                                base: $0, stride: SourceClips.size.width, width: SourceClips.size.width,
                                height: SourceClips.size.height))
                    }
                }
                images.append((number ?? -1, milliseconds))
                milliseconds += Int(line) ?? 0
            }
            picture = bytes.suffix(3 * count)
        }

        /// The number that is shown at a time.
        func number(at milliseconds: Int) -> Int { images.last { $0.start <= milliseconds }?.number ?? -1 }
    }

    /// A draft with a freeze of half a second, a cut and a transition, 3.7 s long.
    private func draft(frameRate: Int) -> String {
        """
        {"version": 1, "frameRate": \(frameRate), "title": "Moving & still", "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 0.5, "duration": 1.5}},
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 2}, "transition": {"type": "dissolve", "duration": 0.3}}],
         "effects": [{"type": "freeze", "duration": 0.5, "timeRangeAtMainTrack": {"start": 0.4, "duration": 1}}]}
        """
    }

    @Test(
        "An animated image shows every frame at its time, with the same bytes from one and two processes",
        arguments: ["gif", "webp"])
    func film(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let film = try await SpoolTool.export(
                draft(frameRate: 30), in: directory, name: "\(jobs).\(type)",
                ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
        }
        #expect(films[0] == films[1])
        let shown = try await Shown(directory.file("1.\(type)"), in: directory)
        #expect(shown.milliseconds == 3700)
        #expect(shown.loop == "0")
        #expect(shown.tags.contains(type == "gif" ? "title: Moving & still" : "Moving &amp; still"))
        // The times are the middles of the frames; the frames of the transition show two numbers at once.
        let held = [Int](repeating: 27, count: 16) + Array(28..<51)
        let expected = Array(15..<27) + held
        let middles = (0..<111).map { shown.number(at: ($0 * 2 + 1) * 1000 / 60) }
        #expect(Array(middles.prefix(51)) == expected)
        #expect(Array(middles.suffix(51)) == Array(99..<150))
        // A GIF has an image for each frame; libwebp merges equal frames.
        #expect(type == "gif" ? shown.images.count == 111 : (96...111).contains(shown.images.count))
    }

    @Test("An animated image has the colours of the film", arguments: [("gif", 4.0), ("webp", 3.0)])
    func colours(_ type: String, _ limit: Double) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        let film = try await SpoolTool.export(draft(frameRate: 30), in: directory, name: "a.\(type)")
        let outcome = try await SpoolTool.run([
            "frame", directory.file("a.\(type).json"), "--time", "1.48", "-o", directory.file("frame.png"),
        ])
        #expect(outcome.status == 0)
        let count = SourceClips.size.width * SourceClips.size.height
        let wanted = try await RawVideo.decode(directory.file("frame.png"), pixelFormat: "rgb24", bytesPerFrame: count * 3)
        let seen = try await Shown(film, in: directory).picture
        let differences = zip(wanted[0], seen).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < limit, "\(mean)")
    }

    @Test("A film that is too fast for a GIF shows every second frame")
    func rate() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(60), frames: 320)
        let film = try await SpoolTool.export(draft(frameRate: 60), in: directory, name: "a.gif")
        let shown = try await Shown(film, in: directory)
        #expect(shown.images.count == 111)
        #expect(shown.images.prefix(12).map(\.number) == Array(stride(from: 30, to: 54, by: 2)))
        #expect(shown.milliseconds == 3700)
    }

    @Test("Settings that an animated image cannot have are errors at their places in the draft")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60)
        let file = directory.file("draft.json")
        try Data(
            """
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "n.mp4"}], "metadata": {"network": "x"},
             "chapters": [{"title": "One", "start": 0}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: file))
        let outcome = try await SpoolTool.run(["export", file, "-o", directory.file("a.webp")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("chapters: do not go into a webp file"))
        #expect(outcome.errors.contains("metadata.network: is not a tag that a webp file has"))
    }
}
