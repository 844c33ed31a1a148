import ExactTime
import FoundationEssentials
import TestSupport
import Testing

/// A film is edited again and again: `spool plan --against` says what an edit changes, and `spool export --watch` makes it.
@Suite("The edit loop")
struct EditLoopTests {
    private struct Plan: Decodable {
        struct Share: Decodable, Equatable {
            var changed: Int
            var total: Int
        }

        struct Comparison: Decodable {
            var videoSegments: Share
            var frames: Share
            var audioSegments: Share
            var filmChanges: Bool
            var fullWork: Double
        }

        struct Prediction: Decodable {
            var work: Double
        }

        var against: Comparison
        var prediction: Prediction
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 75, sampleRate: 48_000)
    }

    /// A draft of clips of one source.
    private func draft(_ clips: [String], others: String = "") -> Data {
        let objects = clips.map { #"{"type": "av", "url": "a.mp4"\#($0)}"# }
        return Data(
            """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25\(others),
             "mainTrackClips": [\(objects.joined(separator: ", "))]}
            """.utf8)
    }

    private static let clips = (0..<12).map { #", "timeRange": {"start": \#(Double($0) * 0.08), "duration": 1}"# }

    private func comparison(with edited: Data, of whole: Data) async throws -> (Plan, lines: String) {
        try whole.write(to: URL(fileURLWithPath: directory.file("whole.json")))
        try edited.write(to: URL(fileURLWithPath: directory.file("edited.json")))
        let words = [
            "plan", directory.file("edited.json"), "--against", directory.file("whole.json"), "--cache", directory.file("cache"),
        ]
        let text = try await SpoolTool.run(words)
        #expect(text.status == 0, "\(text.errors)")
        let outcome = try await SpoolTool.run(words + ["--json"])
        return (try JSONDecoder().decode(Plan.self, from: Data(outcome.output.utf8)), text.output)
    }

    @Test("A plan says which segments of another draft's film an edit changes, and how much of its work that is")
    func edits() async throws {
        let whole = draft(Self.clips)
        var trimmed = Self.clips
        trimmed[5] = #", "timeRange": {"start": 0.4, "duration": 0.6}"#
        let (trim, lines) = try await comparison(with: draft(trimmed), of: whole)
        #expect(trim.against.videoSegments == Plan.Share(changed: 1, total: 12))
        #expect(trim.against.frames == Plan.Share(changed: 15, total: 290))
        #expect(trim.prediction.work < trim.against.fullWork)
        #expect(lines.contains("change 1 of 12 video segments (15 of 290 frames), "), "\(lines)")
        #expect(lines.split(separator: "\n").filter { $0.hasPrefix("video ") && $0.hasSuffix("unchanged") }.count == 11)

        let inserted = [#", "timeRange": {"start": 2, "duration": 1}"#] + Self.clips
        let (insert, _) = try await comparison(with: draft(inserted), of: whole)
        #expect(insert.against.videoSegments == Plan.Share(changed: 1, total: 13))

        let (graded, _) = try await comparison(with: draft(Self.clips.map { $0 + #", "volume": 0.5"# }), of: whole)
        #expect(graded.against.videoSegments.changed == 0)
        #expect(graded.against.audioSegments.changed == graded.against.audioSegments.total)
        #expect(graded.against.filmChanges)
    }

    @Test("A plan against the same draft says that nothing changes")
    func same() async throws {
        let (plan, lines) = try await comparison(with: draft(Self.clips), of: draft(Self.clips))
        #expect(!plan.against.filmChanges)
        #expect(plan.against.videoSegments.changed == 0 && plan.against.audioSegments.changed == 0)
        #expect(lines.hasSuffix("change nothing: the film is that of '\(directory.file("whole.json"))'\n"), "\(lines)")
    }

    @Test("A fault of the other draft is said to be its own")
    func faultyOther() async throws {
        try draft(Self.clips).write(to: URL(fileURLWithPath: directory.file("edited.json")))
        try Data("{".utf8).write(to: URL(fileURLWithPath: directory.file("whole.json")))
        let outcome = try await SpoolTool.run(
            ["plan", directory.file("edited.json"), "--against", directory.file("whole.json")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasSuffix("this is about '\(directory.file("whole.json"))', which --against names\n"))
    }

    @Test(
        "A watched export follows the draft and its sources, outlives a faulty draft, and ends with a signal",
        .timeLimit(.minutes(3)))
    func watched() async throws {
        _ = try SourceClips.numbered("b.mp4", in: directory, rate: FrameRate(25), frames: 50, sampleRate: 48_000)
        var edited = Self.clips
        edited[3] = #", "timeRange": {"start": 1, "duration": 0.4}"#
        try draft(Self.clips).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        try draft(edited).write(to: URL(fileURLWithPath: directory.file("edited.json")))
        let outcome = try await ShellTool.run(
            """
            cd '\(directory.path)'
            coproc SPOOL {
                exec '\(SpoolTool.executable)' export draft.json -o film.mp4 --watch --cache cache \\
                    --set encoderSpeed=ultrafast 2>&1 > results
            }
            export=$SPOOL_PID
            until_line() { while read -r line <&"${SPOOL[0]}"; do [[ $line != $1* ]] || return 0; done; echo "no line '$1'"; }
            until_line watching
            # The way in which most editors save a file.
            cp edited.json new && mv new draft.json
            until_line 'changed: draft.json'
            until_line watching
            sha256sum < film.mp4 > before
            echo '{' > draft.json
            until_line 'the film stays'
            sha256sum < film.mp4 | cmp - before && echo 'the film is still there'
            rm draft.json
            until_line 'error: '
            until_line 'the film stays'
            cp edited.json draft.json
            until_line watching
            mv b.mp4 a.mp4
            until_line 'changed: a.mp4'
            until_line watching
            sha256sum < film.mp4 | cmp -s - before || echo 'the film has other pictures'
            kill -INT $export
            wait $export
            echo "status $?"
            grep -o '[0-9]* of [0-9]* segments' results
            grep -c '^it took [0-9.]* s$' results
            ls -A
            """)
        #expect(
            outcome.output == """
                the film is still there
                the film has other pictures
                status 130
                12 of 12 segments
                1 of 12 segments
                0 of 12 segments
                12 of 12 segments
                4
                a.mp4
                before
                cache
                draft.json
                edited.json
                film.mp4
                results

                """, "\(outcome.errors)")
    }

    @Test("An export under way is ended by a change, and what it has finished is not rendered again", .timeLimit(.minutes(3)))
    func changedMeanwhile() async throws {
        try draft(Self.clips).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        try draft(Self.clips.dropLast()).write(to: URL(fileURLWithPath: directory.file("edited.json")))
        let outcome = try await ShellTool.run(
            """
            cd '\(directory.path)'
            coproc SPOOL {
                exec '\(SpoolTool.executable)' export draft.json -o film.mp4 --watch --cache cache --jobs 1 \\
                    --set encoderSpeed=veryslow 2>&1 > results
            }
            export=$SPOOL_PID
            # The second line is about frames that are finished.
            read -r line <&"${SPOOL[0]}"
            read -r line <&"${SPOOL[0]}"
            cp edited.json draft.json
            while read -r line <&"${SPOOL[0]}"; do [[ $line != changed* ]] || echo "$line"; [[ $line != watching* ]] || break; done
            kill -INT $export
            wait $export
            cat results
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "changed: draft.json", "\(outcome.output) \(outcome.errors)")
        #expect(lines.count == 3, "one export came to its end: \(outcome.output)")
        #expect(lines.dropFirst().first?.hasPrefix("film.mp4: 320x180, 275 frames at 25 a second, ") == true)
        #expect(!outcome.output.contains("11 of 11 segments"), "something was finished before: \(outcome.output)")
    }

    @Test(
        "What cannot be watched is refused",
        arguments: [
            (["draft.json", "-o", "-"], "--watch replaces a file"),
            (["-", "-o", "film.mp4"], "--watch looks at the draft's file"),
            (["draft.json", "-o", "film.mp4", "--no-overwrite"], "--watch replaces the film that --no-overwrite keeps"),
        ])
    func refused(words: [String], message: String) async throws {
        let outcome = try await SpoolTool.run(["export", "--watch"] + words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
