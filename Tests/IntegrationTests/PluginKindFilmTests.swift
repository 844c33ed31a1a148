import ExactTime
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// Films with generators and mixers, at the command line.
@Suite struct PluginKindFilmTests {
    /// A generator that is grey: ten for each second of its time, and `amount` hundredths more.
    private static let clock = """
        for (size_t i = 0; i < count; i++) output[i] = i % 4 == 3 ? 255 : (uint8_t)(20 + time * 25 + (values[0].number - 0.5) * 100);
        """
    /// A mixer that goes from the first picture to the second one.
    private static let fade = """
        for (size_t i = 0; i < count; i++) output[i] = (uint8_t)(first[i] + (second[i] - first[i]) * values[0].number + 0.5);
        """
    /// A mixer that adds colours and has the lesser alpha, as frei0r's `addition`.
    private static let sum = """
        for (size_t i = 0; i < count; i++) {
            const int sum = first[i] + second[i];
            output[i] = i % 4 == 3 ? (first[i] < second[i] ? first[i] : second[i]) : (uint8_t)(sum > 255 ? 255 : sum);
        }
        """
    /// A mixer that shows the second picture's negative and covers everything.
    private static let cover = """
        for (size_t i = 0; i < count; i++) output[i] = i % 4 == 3 ? 255 : 255 - second[i];
        """

    /// A mixer that shows the second picture where it is opaque, and else the first, with the greater alpha of both.
    private static let join = """
        for (size_t i = 0; i < count; i += 4) {
            const uint8_t *seen = second[i + 3] > 127 ? second : first;
            for (int k = 0; k < 3; k++) output[i + k] = seen[i + k];
            output[i + 3] = first[i + 3] > second[i + 3] ? first[i + 3] : second[i + 3];
        }
        """

    private func workshop() async throws -> PluginWorkshop {
        let workshop = try await PluginWorkshop()
        for (name, kind, body) in [
            ("clock", "GENERATOR", Self.clock), ("fade", "MIXER", Self.fade), ("sum", "MIXER", Self.sum),
            ("cover", "MIXER", Self.cover), ("join", "MIXER", Self.join),
        ] { _ = try await BuiltPlugins.plugin(name, body, kind: kind, in: workshop.plugins) }
        return workshop
    }

    /// Exports `draft.json` uncompressed and reads its frames.
    private func film(_ workshop: PluginWorkshop, _ options: String = "--jobs 1") async throws -> [[UInt8]] {
        let outcome = try await workshop.spool("export draft.json -o film.nut \(options)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try await workshop.frames(of: "film.nut")
    }

    /// The grey in the middle of a frame.
    private func grey(_ frame: [UInt8]) -> Int { Int(frame[3 * (32 * 64 + 32) + 1]) }

    @Test("A generator's clips show its own time: forwards, faster, backwards, held, repeated and along a curve")
    func times() async throws {
        let workshop = try await workshop()
        let clip = #"{"type": "generator", "name": "clock", "duration": 4"#
        let second = #""timeRangeAtMainTrack": {"start": 1, "duration": 1}"#
        let cases: [(String, String, Int, (Double) -> Double)] = [
            ("", "", 100, { $0 }), (#", "speed": 2"#, "", 50, { $0 * 2 }), (#", "reverse": true"#, "", 100, { 4 - $0 }),
            (
                "", #", "effects": [{"type": "freeze", "duration": 2, \#(second)}]"#, 150,
                { $0 < 1 ? $0 : $0 < 3 ? 1 : $0 - 2 }
            ),
            ("", #", "effects": [{"type": "repeat", "count": 2, \#(second)}]"#, 125, { $0 < 2 ? $0 : $0 - 1 }),
            (#", "speed": {"keyTimes": [0, 4], "values": [1, 2]}"#, "", 70, { 4 * (exp($0 / 4) - 1) }),
        ]
        for (fields, more, count, time) in cases {
            try workshop.write(clips: "\(clip)\(fields)}", more)
            let frames = try await film(workshop)
            #expect(frames.count == count, "\(fields)\(more)")
            for (index, frame) in frames.enumerated() {
                let wanted = 20 + time(Double(index) / 25) * 25
                #expect(abs(Double(grey(frame)) - wanted) <= 2, "\(fields)\(more), frame \(index)")
            }
        }
    }

    @Test("A generator's numbers are animated, and filters, opacity and a transform act on its picture")
    func pictures() async throws {
        let workshop = try await workshop()
        try workshop.write(
            clips: """
                {"type": "generator", "name": "clock", "duration": 1, "animations": [{"keyPath": "parameters.amount",
                  "keyTimes": [0, 1], "values": [0.5, 1]}]},
                {"type": "generator", "name": "clock", "duration": 1, "filters": [{"type": "invert"}]},
                {"type": "generator", "name": "clock", "duration": 1, "parameters": {"amount": 1}, "opacity": 0.5},
                {"type": "generator", "name": "clock", "duration": 1, "parameters": {"amount": 1}, "transform": {"scale": 0.5}}
                """)
        let frames = try await film(workshop)
        #expect(abs(grey(frames[20]) - (20 + 20 + 40)) <= 2)
        #expect(abs(grey(frames[25]) - 235) <= 2)
        // 70 over black at half the strength.
        #expect(abs(grey(frames[50]) - 35) <= 2)
        #expect(abs(grey(frames[75]) - 70) <= 2)
        #expect(frames[75][0] == 0 && frames[75][3 * 64 * 63] == 0)
    }

    @Test("A transition by a mixer goes from 0 on in equal steps, and an explanation names the plug-in")
    func transition() async throws {
        let workshop = try await workshop()
        let join = #""transition": {"type": "externalTransition", "name": "fade", "duration": 1}"#
        try workshop.write(
            clips:
                ##"{"type": "color", "color": "#202020", "duration": 2}, {"type": "color", "color": "#E0E0E0", "duration": 2, \##(join)}"##
        )
        let frames = try await film(workshop)
        #expect(frames.count == 75)
        for index in 25..<50 {
            let wanted = 32 + 192 * Double(index - 25) / 25
            #expect(abs(Double(grey(frames[index])) - wanted) <= 3, "frame \(index)")
        }
        let explained = try await workshop.spool("plan draft.json --explain")
        #expect(explained.output.contains("drawn by the plug-in fade at 64x64"))
    }

    @Test("A mixer as a blend mode is seen where the layer is, by its alpha, and one that covers replaces all")
    func blendModes() async throws {
        let workshop = try await workshop()
        func draft(_ name: String, _ more: String) throws {
            try workshop.write(
                clips: ##"{"type": "color", "color": "#404040", "duration": 1}"##,
                """
                , "layers": [{"timeRange": {"start": 0, "duration": 1}, "blendMode": {"type": "external", "name": "\(name)"},
                  "source": {"type": "solid", "color": "#505050", "size": {"width": 32, "height": 64}},
                  "transform": {"center": {"x": 0.25, "y": 0.5}} \(more)}]
                """)
        }
        /// The greys in the left and in the right half.
        func halves() async throws -> [Int] {
            let frame = try await film(workshop)[10]
            return [Int(frame[3 * (32 * 64 + 8)]), Int(frame[3 * (32 * 64 + 56)])]
        }
        try draft("sum", "")
        for (found, wanted) in zip(try await halves(), [0x90, 0x40]) { #expect(abs(found - wanted) <= 2) }
        // Half of the sum and half of what is below.
        try draft("sum", #", "opacity": 0.5"#)
        for (found, wanted) in zip(try await halves(), [0x68, 0x40]) { #expect(abs(found - wanted) <= 3) }
        // The negative of the layer's colour; it has none in the right half, where transparent black becomes white.
        try draft("cover", "")
        for (found, wanted) in zip(try await halves(), [0xAF, 0xFF]) { #expect(abs(found - wanted) <= 2) }
        let explained = try await workshop.spool("plan draft.json --explain")
        #expect(explained.output.contains("mixed with what is below by the plug-in cover"))
        // On an adjustment layer the second picture is what the operations make of the first one.
        try workshop.write(
            clips: ##"{"type": "color", "color": "#404040", "duration": 1}"##,
            #"""
            , "layers": [{"timeRange": {"start": 0, "duration": 1}, "blendMode": {"type": "external", "name": "sum"},
              "operations": [{"type": "brightness", "amount": 0.25}]}]
            """#)
        for found in try await halves() { #expect(abs(found - (0x40 + 0x40 + 64)) <= 3) }
    }

    @Test("In a group a mixer leaves what is translucent beside the layer as it is")
    func translucentGroup() async throws {
        let workshop = try await workshop()
        try workshop.write(
            clips: ##"{"type": "color", "color": "#FFFFFF", "duration": 1}"##,
            ##"""
            , "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": [
              {"timeRange": {"start": 0, "duration": 1}, "opacity": 0.5, "source": {"type": "solid", "color": "#000000"}},
              {"timeRange": {"start": 0, "duration": 1}, "blendMode": {"type": "external", "name": "join"},
               "source": {"type": "solid", "color": "#404040", "size": {"width": 32, "height": 64}},
               "transform": {"center": {"x": 0.25, "y": 0.5}}}]}}]
            """##)
        let frame = try await film(workshop)[10]
        let halves = [8, 56].map { Int(frame[3 * (32 * 64 + $0)]) }
        for (found, wanted) in zip(halves, [0x40, 0x80]) { #expect(abs(found - wanted) <= 2, "\(halves)") }
    }

    @Test("A layer appears by a mixer with its own colours, and a generator can be its picture and its mask")
    func layers() async throws {
        let workshop = try await workshop()
        try workshop.write(
            clips: ##"{"type": "color", "color": "#000000", "duration": 3}"##,
            """
            , "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "solid", "color": "#C0C0C0"},
              "transitionIn": {"type": "externalTransition", "name": "fade", "duration": 1}},
              {"timeRange": {"start": 2, "duration": 1}, "source": {"type": "generator", "name": "clock", "speed": 4},
               "mask": {"source": {"type": "generator", "name": "clock", "parameters": {"amount": 1}}, "channel": "luma"}}]
            """)
        let frames = try await film(workshop)
        for index in 0..<25 { #expect(abs(Double(grey(frames[index])) - 192 * Double(index) / 25) <= 3, "frame \(index)") }
        #expect(abs(grey(frames[30]) - 192) <= 1)
        // Half a second: 20 + 50 through a mask of 20 + 12.5 + 50.
        let (own, mask) = (20.0 + 4 * 12, 20.0 + 12 + 50)
        #expect(abs(Double(grey(frames[62])) - own * mask / 255) <= 3)
    }

    @Test("The film has the same bytes with one process and two, wherever it is cut, and a single frame is that of the film")
    func bytes() async throws {
        let workshop = try await workshop()
        let clips = """
            {"type": "generator", "name": "clock", "duration": 9}, {"type": "generator", "name": "clock", "duration": 9,
             "reverse": true, "transition": {"type": "externalTransition", "name": "fade", "duration": 3}}
            """
        let layers = """
            , "layers": [{"timeRange": {"start": 1, "duration": 12}, "blendMode": {"type": "external", "name": "sum"},
              "opacity": 0.5, "source": {"type": "generator", "name": "clock", "size": {"width": 32, "height": 32}}}]
            """
        try workshop.write(clips: clips, layers)
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let outcome = try await workshop.spool("export draft.json -o \(jobs).mp4 --jobs \(jobs) --cache cache\(jobs)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            films.append(try workshop.bytes(of: "\(jobs).mp4"))
        }
        #expect(films[0] == films[1])
        let frames = try await film(workshop)
        for time in [0, 6.4, 7.52, 12.96] {
            #expect(try await workshop.spool("frame draft.json --time \(time) -o frame.png").status == 0)
            let frame = try await workshop.frames(of: "frame.png")[0]
            let different = zip(frame, frames[Int((time * 25).rounded())]).filter { abs(Int($0) - Int($1)) > 1 }
            #expect(different.isEmpty, "at \(time)")
        }
        try workshop.write(clips: clips, layers + #", "timeRange": {"start": 5.2, "duration": 6}"#)
        let cut = try await film(workshop)
        #expect(cut == Array(frames[130..<280]))
    }

    @Test("A film that keeps its transparency keeps that of a generator and of a mixer")
    func transparency() async throws {
        let workshop = try await workshop()
        _ = try await BuiltPlugins.plugin(
            "half", "for (size_t i = 0; i < count; i++) output[i] = i % 4 == 3 ? 128 : 200;", kind: "GENERATOR",
            in: workshop.plugins)
        try workshop.write(
            clips: """
                {"type": "generator", "name": "half", "duration": 1}, {"type": "generator", "name": "half", "duration": 2,
                 "transition": {"type": "externalTransition", "name": "fade", "duration": 0.5}}
                """)
        let outcome = try await workshop.spool("export draft.json -o f/%03d.png --set alpha=true")
        #expect(outcome.status == 0, "\(outcome.errors)")
        for name in ["001", "020", "050"] {
            let raw = workshop.directory.file("raw")
            try await FFmpegTool.ffmpeg(
                ["-i", workshop.directory.file("f/\(name).png"), "-f", "rawvideo", "-pix_fmt", "rgba", raw])
            let pixel = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)).prefix(4))
            for (value, wanted) in zip(pixel, [200, 200, 200, 128]) { #expect(abs(Int(value) - wanted) <= 1, "\(name)") }
        }
    }
}
