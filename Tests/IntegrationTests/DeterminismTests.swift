import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// The same draft gives the same bytes with any number of processes.
@Suite struct DeterminismTests {
    @Test("One, two and three processes and a warm cache give the same film, and an edit renders only changes")
    func sameBytes() async throws {
        let directory = try TemporaryDirectory()
        _ = try await SpoolTool.run(["sample-media", directory.file("media")])
        let draft = try String(contentsOfFile: examples + "/first-light.json", encoding: .utf8)
        var films: [Data] = []
        for jobs in 1...3 {
            try? FileManager.default.removeItem(atPath: directory.file("cache"))  // absent the first time
            films.append(try await export(draft, directory, ["--jobs", "\(jobs)"]))
        }
        let warm = try await SpoolTool.run([
            "export", directory.file("film.mp4.json"), "-o", directory.file("film.mp4"), "--cache", directory.file("cache"),
            "--set", "encoderSpeed=ultrafast", "--preset", "640x480", "--json",
        ])
        #expect(warm.output.contains("\"rendered\" : 0"))
        films.append(try Data(contentsOf: URL(fileURLWithPath: directory.file("film.mp4"))))
        #expect(films.allSatisfy { $0 == films[0] })
        #expect(films[0].count > 10_000)

        // The clip of the fade plays slower: its own segment and that of its transition are new, and all others stay.
        let edited = draft.replacing(#""speed": "1/2""#, with: #""speed": "2/5""#)
        #expect(edited != draft)
        let again = directory.file("edited.json")
        try Data(edited.utf8).write(to: URL(fileURLWithPath: again))
        let outcome = try await SpoolTool.run([
            "export", again, "-o", directory.file("edited.mp4"), "--cache", directory.file("cache"), "--set",
            "encoderSpeed=ultrafast", "--preset", "640x480", "--json",
        ])
        #expect(outcome.output.contains("\"rendered\" : 2"))
    }

    @Test(
        "The bytes depend neither on the number of processors nor on old memory",
        arguments: TestForm.part(1, of: ["h264", "hevc"]))
    func processors(_ codec: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 100)
        let draft =
            #"{"version": 1, "videoSize": {"width": 426, "height": 240}, "mainTrackClips": [{"type": "av", "url": "a.mp4"}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        for rate in ["videoQuality=24", "videoBitrate=300000"] {
            let outcome = try await ShellTool.run(
                """
                cd '\(directory.path)' && export MALLOC_PERTURB_=0
                film() {
                  "$@" '\(SpoolTool.executable)' export draft.json -o film.mp4 --jobs 1 --cache "$(mktemp -d -p .)" \
                    --set videoCodec=\(codec) --set encoderSpeed=veryfast --set \(rate) > log 2>&1 || cat log
                  sha256sum film.mp4
                }
                for attempt in 1 2 3; do film env; done
                film taskset -c 0
                MALLOC_PERTURB_=85 film env
                MALLOC_PERTURB_=170 film taskset -c 1
                """)
            let films = Set(outcome.output.split(separator: "\n"))
            #expect(films.count == 1, "\(rate): \(films)")
            #expect(films.first?.hasSuffix("film.mp4") == true, "\(films)")
        }
    }

    private func export(_ draft: String, _ directory: TemporaryDirectory, _ options: [String]) async throws -> Data {
        let film = try await SpoolTool.export(draft, in: directory, ["--preset", "640x480"] + options)
        return try Data(contentsOf: URL(fileURLWithPath: film))
    }

    private var examples: String {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path + "/examples"
    }
}
