import ExactTime
import FoundationEssentials
import TestSupport
import Testing

/// `spool preview` as a page uses it: with a client that asks for the state and the files.
@Suite("The preview of a draft", .timeLimit(.minutes(5)))
struct PreviewTests {
    private struct State: Decodable {
        struct Size: Decodable, Equatable {
            var width: Int
            var height: Int
        }

        struct Track: Decodable {
            struct Segment: Decodable {
                var file: String
                var first: Int?
                var count: Int?
                var start: Double?
                var duration: Double?
            }

            var header: String
            var segments: [Segment]
        }

        struct Strip: Decodable {
            struct Item: Decodable {
                var path: String
                var start: Double
                var duration: Double
            }

            var kind: String
            var items: [Item]
        }

        struct Fault: Decodable {
            var severity: String
            var path: String
            var message: String
        }

        var revision: Int
        var proxy: Size?
        var frameCount: Int?
        var pictures: Track?
        var sound: Track?
        var timeline: [Strip]
        var diagnostics: [Fault]
        var isBroken: Bool
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 300, sampleRate: 48_000)
        try write(title: "One")
    }

    private func write(title: String) throws {
        try Data(
            """
            {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 25, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": 6}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 2, "duration": 8},
               "transition": {"type": "dissolve", "duration": 1}}],
             "layers": [{"timeRange": {"start": 10, "duration": 1},
               "source": {"type": "text", "text": "\(title)", "font": "DejaVu Sans 20"}}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    /// Replaces the draft by one of a single colour, which needs no source.
    private func writeColor(audio: String) throws {
        try Data(
            #"{"version": 1, "videoSize": {"width": 64, "height": 64}, "audio": \#(audio), "mainTrackClips": [{"type": "color", "duration": 1}]}"#
                .utf8
        ).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    /// Runs a script beside a preview. Its functions: `get ADDRESS` prints an answer, `state FILTER` waits until jq's filter
    /// is true of the state and leaves it in `state.json`.
    /// - Parameter environment: variables of the preview, as a shell takes them.
    private func beside(_ options: String, environment: String = "", _ script: String) async throws -> SpoolTool.Outcome {
        let outcome = try await ShellTool.run(
            """
            set -euo pipefail
            cd '\(directory.path)'
            rm -f said && mkfifo said
            \(environment) '\(SpoolTool.executable)' preview draft.json --cache cache \(options) > said 2> err & pid=$!
            trap 'kill -TERM $pid 2> /dev/null; wait $pid || true' EXIT
            read -r address < said || { cat err >&2; exit 1; }
            address=http${address#*http}
            base=${address%%/\\?token=*}
            curl -sfL -c jar "$address" > page.html
            get() { curl -sf -b jar "$base$1"; }
            state() { until get /state > state.json && jq -e "$1" state.json > /dev/null; do kill -0 $pid; sleep 0.02; done; }
            \(script)
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func read(_ name: String = "state.json") throws -> State {
        try JSONDecoder().decode(State.self, from: Data(contentsOf: URL(fileURLWithPath: directory.file(name))))
    }

    @Test("All segments together are the film, frame by frame and sample by sample")
    func whole() async throws {
        _ = try await beside(
            "--height 180",
            """
            state .pictures
            for track in pictures sound; do
              get "/media/$(jq -r ".$track.header" state.json)" > $track.mp4
              for file in $(jq -r ".$track.segments[].file" state.json); do get "/media/$file" >> $track.mp4; done
            done
            """)
        let state = try read()
        #expect(state.frameCount == 325 && !state.isBroken && state.diagnostics.isEmpty)
        let pictures = try #require(state.pictures)
        var next = 0
        for segment in pictures.segments {
            #expect(segment.first == next)
            next += segment.count ?? 0
        }
        #expect(next == 325)
        let film = directory.file("pictures.mp4")
        let report = try #require(try await FFprobeReport.of(film).video)
        #expect(report.width == 320 && report.height == 180 && state.proxy == .init(width: 320, height: 180))
        let numbers = try await SourceClips.numbers(of: film)
        #expect(numbers.count == 325)
        #expect(Array(numbers.prefix(125)) == Array(0..<125))
        // Behind the dissolve, without the frames under the title.
        #expect(numbers.indices.filter { $0 >= 150 && !(250..<275).contains($0) }.allSatisfy { numbers[$0] == $0 - 75 })
        let sound = try await Waveform.decode(directory.file("sound.mp4"), sampleRate: 44_100, channels: 2)
        #expect(sound.count >= 13 * 44_100 && sound.count < 13 * 44_100 + 2048)
        #expect(state.timeline.first?.items.map(\.path) == ["mainTrackClips[0]", "mainTrackClips[1]"])
        #expect(state.timeline.map(\.kind) == ["clips", "transitions", "layers"])
    }

    @Test("A changed title renders its own segments alone, and a broken draft leaves the last good version")
    func changes() async throws {
        _ = try await beside(
            "--height 180",
            """
            state .pictures
            for file in $(jq -r '.pictures.segments[].file' state.json); do get "/media/$file" > /dev/null; done
            cp state.json before.json
            sed -i 's/One/Two/' draft.json
            state ".revision > $(jq .revision before.json) and .pictures.segments != $(jq -c .pictures.segments before.json)"
            cp state.json after.json
            for file in $(jq -r '.pictures.segments[].file' state.json); do get "/media/$file" > /dev/null; done
            cp draft.json good.json
            sed -i 's/dissolve/disolve/' draft.json
            state .isBroken
            cp state.json broken.json
            cp good.json draft.json
            state '.isBroken | not'
            curl -s -b jar "$base/media/none.m4s" > none.txt
            """)
        let none = try String(contentsOfFile: directory.file("none.txt"), encoding: .utf8)
        #expect(none == "the draft has changed; this segment is not part of it any more\n")
        let (before, after, broken) = (try read("before.json"), try read("after.json"), try read("broken.json"))
        let names = [before, after].map { $0.pictures?.segments.map(\.file) ?? [] }
        let changed = zip(names[0], names[1]).filter(!=).count
        #expect(names[0].count == names[1].count && (1...2).contains(changed) && names[0].count > 4)
        #expect(before.sound?.segments.map(\.file) == after.sound?.segments.map(\.file))
        #expect(broken.pictures?.segments.map(\.file) == names[1])
        let fault = try #require(broken.diagnostics.first)
        #expect(fault.path == "mainTrackClips[1].transition.type" && fault.severity == "error")
        #expect(fault.message.contains("did you mean 'dissolve'?"))
    }

    @Test("What was seen once is not rendered again by a later preview")
    func cached() async throws {
        let script = """
            state .pictures
            for file in $(jq -r '.pictures.segments[].file, .sound.segments[].file' state.json); do get "/media/$file" > /dev/null; done
            find cache -name '*.sha256' | sort | xargs cat | sha256sum > kept
            """
        _ = try await beside("--height 180", script)
        let kept = try Data(contentsOf: URL(fileURLWithPath: directory.file("kept")))
        _ = try await beside("--height 180", script)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("kept"))) == kept)
        let left = try await ShellTool.run("ls -A '\(directory.file("cache"))/tmp'")
        #expect(left.output == "", "the private directories are gone")
    }

    @Test("The page is told what of the sound the preview leaves out")
    func leftOut() async throws {
        try writeColor(audio: #"{"loudness": -16}"#)
        _ = try await beside("--height 90", "state '.diagnostics | length > 0'")
        let notes = try read().diagnostics.filter { $0.severity == "warning" && $0.path == "audio" }.map(\.message)
        #expect(
            notes.contains(
                "loudness, limiter and filters of the mix need the whole sound and are left out of the preview; 'spool export' "
                    + "applies them"), "\(notes)")
    }

    @Test("The page is told that rendering processes die, after three attempts")
    func dyingProcesses() async throws {
        try writeColor(audio: "{}")
        let (program, starts) = (directory.file("dying"), directory.file("starts"))
        let script = """
            #!/bin/bash
            case "$*" in
                serve*) read -r line && echo started >> '\(starts)'; kill -KILL $$ ;;
                *) exec '\(SpoolTool.executable)-render' "$@" ;;
            esac
            """
        _ = FileManager.default.createFile(
            atPath: program, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        _ = try await beside(
            "--height 90", environment: "SPOOL_RENDER_EXECUTABLE='\(program)'", "state '.isBroken and .pictures == null'")
        let fault = try #require(try read().diagnostics.first)
        #expect(fault.severity == "error")
        #expect(fault.message.hasPrefix("the rendering process has died: "), "\(fault.message)")
        #expect(try String(contentsOfFile: starts, encoding: .utf8).split(separator: "\n").count >= 3)
    }

    @Test("The page is told that the preview's files cannot be written")
    func fullDisk() async throws {
        try writeColor(audio: "{}")
        let storage = try await FaultyStorage(in: directory.path)
        let environment = storage.environment(.full, on: .write, ofFiles: "/media/")
            .map { "\($0)='\($1)'" }.joined(separator: " ")
        _ = try await beside("--height 90", environment: environment, "state .isBroken")
        let fault = try #require(try read().diagnostics.first)
        #expect(fault.severity == "error")
        #expect(fault.message.hasPrefix("the preview cannot go on: '"), "\(fault.message)")
        #expect(fault.message.hasSuffix("' cannot be written: No space left on device"), "\(fault.message)")
    }

    @Test("Mistakes have a message and an exit code")
    func mistakes() async throws {
        let draft = directory.file("draft.json")
        for (words, status, said) in [
            (["-"], Int32(64), "looks at the draft's file"), ([draft, "--set", "videoQuality=20"], 64, "leave --set"),
            ([draft, "--height", "20"], 64, "--height must be 90...2160"), ([draft, "--port", "99999"], 64, "--port must be"),
            ([draft, "--host", "192.0.2.1"], 69, "192.0.2.1"),
        ] {
            let outcome = try await SpoolTool.run(["preview"] + words + ["--cache", directory.file("cache")])
            #expect(outcome.status == status && outcome.errors.contains(said), "\(words): \(outcome.errors)")
        }
    }
}
