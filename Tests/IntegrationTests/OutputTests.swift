import ContentHashing
import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// No command overwrites its inputs, and none begins to work for an output that cannot be written.
@Suite struct OutputTests {
    private let directory: TemporaryDirectory
    private let draft: String

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("beach.mp4", in: directory, rate: FrameRate(25), frames: 10)
        draft = directory.file("draft.json")
        let text = """
            {"version": 1, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [
              {"type": "av", "url": "beach.mp4", "filters": [{"type": "lut", "url": "table.cube"}]}],
             "layers": [{"timeRange": {"start": 0, "duration": 0.4}, "source": {"type": "captions", "url": "words.srt"}}], "cover": {"url": "cover.png"},
             "fonts": [{"url": "own.ttf"}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        let plain = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "beach.mp4"}]}"#
        try Data(plain.utf8).write(to: URL(fileURLWithPath: directory.file("plain.json")))
    }

    private func hashes() throws -> [String: String] {
        var hashes: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name != "cache" {
            hashes[name] = try? ContentHash.ofFile(directory.file(name)).hash  // nil for directories
        }
        return hashes
    }

    private func spool(_ words: [String]) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(words + ["--cache", directory.file("cache")])
    }

    @Test("An export refuses to replace any of its inputs: footage, draft, font, captions, table, cover")
    func inputs() async throws {
        let table = "LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
        try Data(table.utf8).write(to: URL(fileURLWithPath: directory.file("table.cube")))
        try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
        try FileManager.default.copyItem(
            atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", toPath: directory.file("own.ttf"))
        let cover = try await spool(["frame", directory.file("plain.json"), "--time", "0", "-o", directory.file("cover.png")])
        try #require(cover.status == 0, "\(cover.errors)")
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.mp4"), withDestinationPath: "beach.mp4")
        try #require(try await spool(["validate", draft]).status == 0)
        let before = try hashes()
        for (output, place) in [
            ("beach.mp4", "mainTrackClips[0].url"), ("link.mp4", "mainTrackClips[0].url"), ("draft.json", "the draft"),
            ("own.ttf", "fonts[0].url"), ("words.srt", "layers[0].source.url"),
            ("table.cube", "mainTrackClips[0].filters[0].url"), ("cover.png", "cover.url"),
        ] {
            let outcome = try await spool(["export", draft, "-o", directory.file(output)])
            #expect(outcome.status == 65, "\(output): \(outcome.errors)")
            #expect(
                outcome.errors.hasPrefix("error: \(place): the output '\(directory.file(output))' is this file itself"),
                "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("; name another output\n"))
        }
        #expect(try hashes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp").isEmpty)
    }

    @Test("Every other command that writes refuses to replace its inputs")
    func otherCommands() async throws {
        let before = try hashes()
        let (plain, clip) = (directory.file("plain.json"), directory.file("beach.mp4"))
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        try FileManager.default.createDirectory(atPath: directory.file("shots"), withIntermediateDirectories: false)
        try FileManager.default.linkItem(atPath: clip, toPath: directory.file("shots/snapshot-2.png"))
        for words in [
            ["frame", plain, "--time", "0", "-o", clip], ["thumbnails", plain, "-o", clip], ["waveform", clip, "-o", clip],
            ["edit", plain, "--patch", directory.file("patch.json"), "-o", clip],
            ["edit", plain, "--patch", directory.file("patch.json"), "-o", directory.file("patch.json")],
            ["snapshots", plain, "--count", "3", "-o", directory.file("shots")],
        ] {
            let outcome = try await spool(words)
            #expect(outcome.status == 65, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("is this file itself"), "\(words): \(outcome.errors)")
        }
        let record = ["record", "new", directory.file("party")]
        #expect(try await spool(record).status == 0)
        #expect(try await spool(["record", "append", directory.file("party"), clip]).status == 0)
        let film = directory.file("party/clips/0001.mp4")
        let recorded = try ContentHash.ofFile(film).hash
        for words in [
            ["record", "finish", directory.file("party"), "-o", film],
            ["record", "snapshot", directory.file("party"), "--time", "0", "-o", film],
            ["record", "snapshot", directory.file("party"), "--time", "0", "-o", directory.file("s.png"), "--raw", clip],
        ] {
            let outcome = try await spool(words)
            #expect(outcome.status == 65 && outcome.errors.contains("is this file itself"), "\(words): \(outcome.errors)")
        }
        #expect(try ContentHash.ofFile(film).hash == recorded)
        let after = try hashes()
        for (name, hash) in before { #expect(after[name] == hash, "\(name)") }
        // `edit` may write a draft back to its own file.
        let edited = try await spool(["edit", plain, "--patch", directory.file("patch.json"), "-o", plain])
        #expect(edited.status == 0, "\(edited.errors)")
    }

    /// The location of a text's font.
    enum FontOrigin: CaseIterable {
        case namedDirectory, fontconfig
    }

    @Test(
        "A font of this machine that a text may need cannot be an output, wherever it is installed",
        arguments: FontOrigin.allCases)
    func machineFonts(_ origin: FontOrigin) async throws {
        let folder = directory.file("brand")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let font = "\(folder)/Own.ttf"
        try FileManager.default.copyItem(atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", toPath: font)
        try FileManager.default.linkItem(atPath: font, toPath: directory.file("other-name.ttf"))
        let text = """
            {"version": 1, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [{"type": "av", "url": "beach.mp4"}],
             "layers": [{"timeRange": {"start": 0, "duration": 0.4}, "source": {"type": "text", "text": "a", "font": "DejaVu Sans 12"}}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("title.json")))
        let configuration = "<fontconfig><dir>\(folder)</dir><cachedir>\(directory.file("fc"))</cachedir></fontconfig>"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: directory.file("fonts.conf")))
        let place = origin == .fontconfig ? "FONTCONFIG_FILE='\(directory.file("fonts.conf"))'" : "SPOOL_FONT_PATH='\(folder)'"
        let before = try ContentHash.ofFile(font).hash
        for output in [font, directory.file("other-name.ttf")] {
            // The name of a film needs no suffix when its file type is set.
            for words in ["export title.json --set fileType=mp4", "frame title.json --time 0", "thumbnails title.json"] {
                let outcome = try await ShellTool.run(
                    "cd '\(directory.path)'; \(place) '\(SpoolTool.executable)' \(words) --cache cache -o '\(output)'")
                #expect(outcome.status == 65, "\(words): \(outcome.errors)")
                #expect(
                    outcome.errors
                        == "error: the font 'DejaVu Sans' of this machine: the output '\(output)' is this file itself and would destroy it; name another output\n"
                )
            }
        }
        #expect(try ContentHash.ofFile(font).hash == before)
    }

    @Test("A file of the cache cannot be an output, and a user's own file beside it can")
    func cache() async throws {
        let plain = directory.file("plain.json")
        try #require(try await spool(["export", plain, "-o", directory.file("film.mp4")]).status == 0)
        let kept = try await ShellTool.run(
            "cd '\(directory.path)/cache' && find . -type f ! -name '*.sum' -printf '%P\\n' | sort")
        let names = kept.output.split(separator: "\n")
        try #require(names.contains { $0.hasPrefix("facts/") } && names.count > 2)
        for name in names {
            let file = directory.file("cache/\(name)")
            let before = try ContentHash.ofFile(file).hash
            let outcome = try await spool(["frame", plain, "--time", "0", "-o", file])
            #expect(outcome.status == 65)
            #expect(outcome.errors.hasPrefix("error: the output '\(file)' is a file of the cache '"), "\(outcome.errors)")
            #expect(outcome.errors.contains("' and would destroy it; name another output"), "\(outcome.errors)")
            #expect(try ContentHash.ofFile(file).hash == before)
        }
        for name in ["f.png", "shots/f.png"] {
            try FileManager.default.createDirectory(atPath: directory.file("cache/shots"), withIntermediateDirectories: true)
            try Data("old".utf8).write(to: URL(fileURLWithPath: directory.file("cache/\(name)")))
            #expect(try await spool(["frame", plain, "--time", "0", "-o", directory.file("cache/\(name)")]).status == 0)
        }
    }

    @Test("A draft that only its owner may read keeps these permissions after an edit")
    func permissions() async throws {
        let plain = directory.file("plain.json")
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        _ = try await ShellTool.run("chmod 600 '\(plain)'")
        #expect(try await spool(["edit", plain, "--patch", directory.file("patch.json"), "-o", plain]).status == 0)
        #expect(try await ShellTool.run("stat -c %a '\(plain)'").output == "600\n")
    }

    @Test("A full disk ends with exit code 75, the output's name and the system's message")
    func fullDisk() async throws {
        let storage = try await FaultyStorage(in: directory.path)
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        for (words, output) in [
            ("frame plain.json --time 0 -o out.png", "out.png"), ("thumbnails plain.json -o out.png", "out.png"),
            ("snapshots plain.json --count 1 -o .", "./snapshot-1.png"), ("waveform plain.json -o out.png", "out.png"),
            ("export plain.json -o out.mp4", "out.mp4"), ("edit plain.json --patch patch.json -o out.json", "out.json"),
        ] {
            let name = output.replacing("./", with: "")
            let faults = storage.environment(.full, on: .write, ofFiles: "\(directory.path)|.\(name).")
            let environment = faults.sorted { $0.key < $1.key }.map { "\($0)='\($1)'" }.joined(separator: " ")
            let outcome = try await ShellTool.run(
                "cd '\(directory.path)'; \(environment) '\(SpoolTool.executable)' \(words) --cache cache")
            #expect(outcome.status == 75, "\(words): \(outcome.errors)")
            let last = outcome.errors.split(separator: "\n").last ?? ""
            #expect(
                last.hasPrefix("error: '\(output)' cannot be ") && last.hasSuffix(": No space left on device"),
                "\(words): \(outcome.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!left.contains { $0.contains(name) }, "\(words): \(left)")
        }
    }

    @Test("The sample media appear all together or not at all, and leftovers of a killed process are removed")
    func sampleMedia() async throws {
        let folder = directory.file("media")
        let outcome = try await ShellTool.run("ulimit -f 20; exec '\(SpoolTool.executable)' sample-media '\(folder)'")
        #expect(outcome.status == 75)
        #expect(outcome.errors.hasPrefix("error: '\(folder)/sea.mp4' cannot be written: File too large"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        let stopped = try await ShellTool.run(
            """
            '\(SpoolTool.executable)' sample-media '\(folder)' & spool=$!
            until [ -n "$(ls -A '\(folder)')" ]; do kill -0 $spool || exit 99; read -t 0.02 < <(:) || true; done
            kill -INT $spool; wait $spool
            """)
        #expect(stopped.status == 130, "\(stopped.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("An older film is replaced; with --no-overwrite it stays, and nothing is rendered")
    func older() async throws {
        let film = directory.file("film.mp4")
        try Data("old".utf8).write(to: URL(fileURLWithPath: film))
        let words = ["export", directory.file("plain.json"), "-o", film]
        let refused = try await spool(words + ["--no-overwrite"])
        #expect(refused.status == 73)
        #expect(refused.errors == "error: '\(film)' exists and is kept; name another file, or leave --no-overwrite out\n")
        #expect(try String(contentsOfFile: film, encoding: .utf8) == "old")
        #expect(!FileManager.default.fileExists(atPath: directory.file("cache")))
        #expect(try await spool(words).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: film)).count > 1000)
    }

    @Test("An output that cannot be written is found before anything is rendered: exit code 73")
    func unwritable() async throws {
        let plain = directory.file("plain.json")
        let file = directory.file("beach.mp4/below")
        _ = try await ShellTool.run("mkfifo '\(directory.file("pipe"))'")
        let words: [[String]] = [
            ["export", plain, "-o", directory.file("none/film.mp4")], ["export", plain, "-o", directory.path],
            ["export", plain, "-o", directory.file("pipe")], ["export", plain, "-o", "/proc/film.mp4"],
            ["frame", plain, "--time", "0", "-o", file], ["thumbnails", plain, "-o", file],
            ["snapshots", plain, "-o", file], ["waveform", plain, "-o", file],
            ["edit", plain, "--patch", plain, "-o", file],
        ]
        for words in words {
            let outcome = try await spool(words)
            #expect(outcome.status == 73, "\(words): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.contains("; "), "\(words): \(outcome.errors)")
        }
        let pipe = try await spool(["export", plain, "-o", directory.file("pipe")])
        #expect(pipe.errors.contains("pipe' is not a regular file and would be replaced by one; name another place"))
        let nameless = try await spool(["export", plain, "-o", ""])
        #expect(nameless.errors.contains("the output has no name; name a file"))
        #expect(try await SpoolTool.run(["sample-media", file]).status == 73)
        let farm = ["--server", "http://127.0.0.1:1", "--token", "t"]
        let id = "00000000-0000-0000-0000-000000000000"
        #expect(try await SpoolTool.run(["download", id, "-o", directory.path] + farm).status == 73)
        let segments = try? FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/artifacts")
        #expect(segments ?? [] == [])
        // A pipe or device at the output's path is not an older film and stays unchanged.
        let kept = try await ShellTool.run("test -p '\(directory.file("pipe"))'")
        #expect(kept.status == 0)
    }
}
