import ExactTime
import Testing
import TestSupport
import FoundationEssentials
import Glibc

/// Films with time effects: every frame shows the number that follows from the effects as functions of time.
@Suite struct TimeEffectFilmTests {
    /// An effect as JSON, and as a function from the film's time to the track's time.
    struct Change: Sendable {
        var json: String
        var addedDuration: Rational
        var map: @Sendable (@escaping @Sendable (Rational) -> Rational) -> @Sendable (Rational) -> Rational
    }

    private static func fraction(_ value: Rational) -> String { "\(value.numerator)/\(value.denominator)" }

    private static func range(_ start: Rational, _ end: Rational) -> String {
        #""timeRangeAtMainTrack": {"start": "\#(fraction(start))", "duration": "\#(fraction(end - start))"}"#
    }

    static func speed(_ start: Rational, _ end: Rational, _ speed: Rational) -> Change {
        let length = (end - start) / speed
        return Change(
            json: #"{"type": "speed", "speed": "\#(speed)", \#(range(start, end))}"#, addedDuration: length - (end - start)
        ) { track in
            { time in
                if time < start { return track(time) }
                return time < start + length ? track(start + (time - start) * speed) : track(time - length + (end - start))
            }
        }
    }

    static func again(_ start: Rational, _ end: Rational, _ count: Int) -> Change {
        let length = end - start
        return Change(
            json: #"{"type": "repeat", "count": \#(count), \#(range(start, end))}"#, addedDuration: length * Rational(count - 1)
        ) { track in
            { time in
                var time = time
                for _ in 1..<count where time >= end { time = time - length }
                return track(time)
            }
        }
    }

    static func held(_ start: Rational, _ duration: Rational) -> Change {
        Change(
            json: #"{"type": "freeze", "duration": "\#(fraction(duration))", \#(range(start, start + Rational(1, 10)))}"#,
            addedDuration: duration
        ) { track in
            { time in time < start ? track(time) : track(max(start, time - duration)) }
        }
    }

    static func cut(_ start: Rational, _ end: Rational) -> Change {
        Change(json: #"{"type": "cut", \#(range(start, end))}"#, addedDuration: start - end) { track in
            { time in track(time < start ? time : time + end - start) }
        }
    }

    static let stacks: [[Change]] = [
        [speed(Rational(1), Rational(2), Rational(2))],
        [speed(Rational(1, 2), Rational(3), Rational(1, 2)), speed(Rational(1), Rational(3), Rational(3))],
        [again(Rational(1, 3), Rational(5, 6), 3)],
        [held(Rational(7, 5), Rational(2, 3))],
        [cut(Rational(11, 10), Rational(7, 4)), cut(Rational(2), Rational(5, 2)), speed(Rational(1), Rational(2), Rational(2))],
        [
            again(Rational(1), Rational(2), 2), speed(Rational(3, 2), Rational(5, 2), Rational(3, 2)),
            held(Rational(9, 5), Rational(1, 2)), again(Rational(8, 5), Rational(11, 5), 2),
        ],
    ]

    @Test(
        "Every frame shows its number through speed, repeat, freeze and cut, and the film has the right length",
        arguments: stacks.indices)
    func effects(_ index: Int) async throws {
        let stack = TimeEffectFilmTests.stacks[index]
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 150)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 1, "duration": 1.5}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0.5, "duration": 2.5}, "reverse": true}],
             "effects": [\(stack.map(\.json).joined(separator: ", "))]}
            """, in: directory)
        let track = stack.reduce({ $0 } as @Sendable (Rational) -> Rational) { $1.map($0) }
        let duration = stack.reduce(Rational(4)) { $0 + $1.addedDuration }
        let expected = (0..<(duration * Rational(30)).ceil).map { frame -> Int in
            let time = track(Rational(frame) / Rational(30))
            if time < Rational(3, 2) { return ((Rational(1) + time) * Rational(30)).floor }
            return ((Rational(3) - (time - Rational(3, 2))) * Rational(30)).ceil - 1
        }
        #expect(try await SourceClips.numbers(of: film) == expected)
        let samples = try await Waveform.decode(film, sampleRate: 44_100, channels: 2).count
        #expect(abs(samples - (duration * Rational(44_100)).rounded) <= 1024)
    }

    @Test("A ramp from 1x to 4x over 4 s shows the numbers that its integral gives", arguments: [false, true])
    func ramp(_ reversed: Bool) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 150)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0.5, "duration": 4}, "reverse": \(reversed),
               "speed": {"keyTimes": [0, 4], "values": [1, 4]}}]}
            """, in: directory)
        // The speed at second s of the source is v = 1 + 3s/4; by then ln(v) / (3/4) seconds have played.
        let duration = log(4.0) / 0.75
        let expected = (0..<Int((duration * 30).rounded(.up))).map { frame -> Int in
            let played = reversed ? duration - Double(frame) / 30 : Double(frame) / 30
            let source = 0.5 + (exp(0.75 * played) - 1) / 0.75
            // A frame that begins within a tick of the file's clock counts as begun, or backwards as not yet begun.
            let tick = 1.0 / 15_360
            return reversed
                ? Int(((source - tick) * 30).rounded(.up)) - 1 : Int(((source + tick) * 30).rounded(.down))
        }
        let found = try await SourceClips.numbers(of: film)
        #expect(found == expected, "\(zip(found, expected).enumerated().filter { $0.element.0 != $0.element.1 })")
    }

    /// Writes a clip of grey frames at 30 frames per second, each brighter than the previous one by `step`.
    private func greys(_ name: String, from level: Int, step: Int, frames: Int, in directory: TemporaryDirectory) async throws {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=black:size=64x36:rate=30:duration=\(Double(frames) / 30)", "-vf",
            "format=yuv420p,geq=lum='\(level)+\(step)*N':cb=128:cr=128", "-c:v", "libx264", "-qp", "0", "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709", directory.file(name),
        ])
    }

    /// The luma in the middle of each frame.
    private func levels(_ film: String) async throws -> [Int] {
        try await RawVideo.decode(film, pixelFormat: "yuv420p", bytesPerFrame: 64 * 36 * 3 / 2).map { Int($0[18 * 64 + 32]) }
    }

    @Test(
        "A frame between two frames of a slow source is their mean, weighted by time",
        arguments: [false, true])
    func frameBlending(_ reversed: Bool) async throws {
        let directory = try TemporaryDirectory()
        try await greys("a.mp4", from: 20, step: 8, frames: 20, in: directory)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "speed": "1/4", "frameBlending": true, "reverse": \(reversed)}]}
            """, in: directory, ["--set", "videoQuality=1"])
        let found = try await levels(film)
        #expect(found.count == 80)
        // The brightness rises by 8 in four frames of the film. The last frame of the source has no successor.
        let wanted = (0..<80).map { 20 + 2 * min(76, reversed ? 80 - $0 : $0) }
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(zip(found, wanted).map { $0 - $1 })")
    }

    @Test("A transition joins a clip whose speed rises and one that plays backwards at twice the speed")
    func changedClipsInTransition() async throws {
        let directory = try TemporaryDirectory()
        try await greys("a.mp4", from: 20, step: 1, frames: 150, in: directory)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0.5, "duration": 4}, "speed": {"keyTimes": [0, 4], "values": [1, 4]}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 1, "duration": 3}, "speed": 2, "reverse": true,
               "transition": {"type": "dissolve", "duration": 0.6}}]}
            """, in: directory, ["--set", "videoQuality=1"])
        let found = try await levels(film)
        // The speed at second s of the source is 1 + 3s/4.
        let length = log(4.0) / 0.75
        let begin = length - 0.6
        #expect(found.count == Int(((begin + 1.5) * 30).rounded(.up)))
        let (first, end) = (Int((begin * 30).rounded(.up)), Int((length * 30).rounded(.up)))
        let tick = 1.0 / 15_360
        for frame in found.indices {
            let time = Double(frame) / 30
            let rising = Double(20 + Int(((0.5 + (exp(0.75 * time) - 1) / 0.75 + tick) * 30).rounded(.down)))
            let falling = Double(20 + Int(((4 - 2 * (time - begin) - tick) * 30).rounded(.up)) - 1)
            let share = Double(frame - first) / Double(end - first)
            let wanted = frame < first ? rising : frame >= end ? falling : rising * (1 - share) + falling * share
            #expect(abs(Double(found[frame]) - wanted) <= 1.5, "frame \(frame): \(found[frame]) instead of \(wanted)")
        }
    }

    @Test("The time command says where times and ranges are shown, and what is shown at them")
    func command() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 150)
        let draft = """
            {"version": 1, "frameRate": 30, "mainTrackClips": [{"type": "av", "url": "a.mp4"}],
             "effects": [\(TimeEffectFilmTests.speed(Rational(1), Rational(2), Rational(2)).json), \(TimeEffectFilmTests.held(Rational(3), Rational(1)).json)]}
            """
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let listed = try await SpoolTool.run(["time", path])
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(
            listed.output == """
                main track: 5 s, with its effects 5.5 s
                  1..2 plays at speed 2
                  3 is held for 1 s

                """)
        let mapped = try await SpoolTool.run(["time", path, "--apply", "1.5", "0.5..3", "--remove", "5/4", "3.5", "0..5"])
        #expect(mapped.status == 0, "\(mapped.errors)")
        #expect(
            mapped.output == """
                1.5 -> 1.25
                0.5..3 -> 0.5..2.5
                1.25 -> 1.5
                3.5 -> 3.5
                0..5 -> 0..4.5

                """)
        let wrong = try await SpoolTool.run(["time", path, "--apply", "soon"])
        #expect(wrong.status == 64)
    }

    @Test("Time effects stretch, repeat and hold what earlier effects have drawn")
    func drawnBefore() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 90)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [{"type": "av", "url": "a.mp4"}],
             "effects": [
               {"type": "filter", "operation": {"type": "grayscale", "amount": 1}, "timeRangeAtMainTrack": {"start": 1, "duration": 0.5}},
               {"type": "repeat", "count": 2, "timeRangeAtMainTrack": {"start": 0.5, "duration": 1.5}},
               {"type": "speed", "speed": 0.5, "timeRangeAtMainTrack": {"start": 2, "duration": 2}}]}
            """, in: directory)
        let pictures = try await RawVideo.decode(film, pixelFormat: "yuv420p", bytesPerFrame: 320 * 180 * 3 / 2)
        let isGrey = pictures.map { picture in picture[(320 * 180 + 40 * 160 + 80)] == 128 }
        // The film is grey at 1...1.5 s, and the repetition at 2.5...3 s becomes 3...4 s at half the speed.
        let expected = (0..<195).map { (30..<45).contains($0) || (90..<120).contains($0) }
        #expect(isGrey == expected)
    }

    @Test(
        "Clicks are within 10 ms of their places, with the pitch kept and with varispeed",
        arguments: ["spectral", "varispeed"])
    func clicks(_ algorithm: String) async throws {
        let directory = try TemporaryDirectory()
        let starts = (0..<10).map { 0.2 + 0.45 * Double($0) }
        try await Waveform.of(sampleRate: 44_100, channels: 2, count: 5 * 44_100) { time in
            starts.contains { time >= $0 && time < $0 + 0.03 } ? 0.5 * sin(2 * .pi * 1_000 * time) : 0
        }.write(to: directory.file("clicks.wav"))
        let effects = [
            TimeEffectFilmTests.speed(Rational(1), Rational(2), Rational(2)),
            TimeEffectFilmTests.speed(Rational(2), Rational(3), Rational(2, 3)),
        ]
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [
              {"type": "av", "url": "clicks.wav", "timePitchAlgorithm": "\(algorithm)"}],
             "effects": [\(effects.map(\.json).joined(separator: ", "))]}
            """, in: directory)
        let heard = try await Waveform.decode(film, sampleRate: 44_100, channels: 2).channel(0)
        // Seconds 1...2 of the clip play at double speed, 2.5...3.5 at two thirds.
        func place(_ time: Double) -> Double {
            if time < 1 { return time }
            if time < 2 { return 1 + (time - 1) / 2 }
            if time < 2.5 { return 1.5 + (time - 2) }
            if time < 3.5 { return 2 + (time - 2.5) * 1.5 }
            return 3.5 + (time - 3.5)
        }
        for start in starts {
            let wanted = place(start)
            let first = max(0, Int((wanted - 0.1) * 44_100))
            let near = heard[first..<min(heard.count, Int((wanted + 0.1) * 44_100))]
            let peak = near.reduce(0) { max($0, abs($1)) }
            let found = Double(near.firstIndex { abs($0) > peak / 2 } ?? 0) / 44_100
            #expect(peak > 0.2)
            #expect(abs(found - wanted) < 0.01, "\(found) s instead of \(wanted) s")
        }
    }
}
