import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// Films in Display P3 and with the matrix of BT.601: what they say of themselves, and the colours that ffmpeg decodes.
@Suite struct FilmColorTests {
    /// Four quarters: a solid, the same colour as a shape, as an opaque picture and as one with an alpha channel.
    private static let draft = """
        {"version": 1, "videoSize": {"width": 128, "height": 128}, "frameRate": 25,
         "mainTrackClips": [{"type": "color", "color": "#FF0000", "duration": 1}],
         "layers": [
          {"timeRange": {"start": 0, "duration": 1}, "transform": {"center": {"x": 0.75, "y": 0.25}},
           "source": {"type": "shape", "shape": "rect", "size": {"width": 64, "height": 64}, "fill": "#FF0000"}},
          {"timeRange": {"start": 0, "duration": 1}, "transform": {"center": {"x": 0.25, "y": 0.75}},
           "source": {"type": "image", "url": "a.png"}},
          {"timeRange": {"start": 0, "duration": 1}, "transform": {"center": {"x": 0.75, "y": 0.75}},
           "source": {"type": "image", "url": "b.png"}}]}
        """

    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        // The same red opaque and with an alpha channel.
        for (name, format) in [("a", "rgb24"), ("b", "rgba")] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "color=0xFF0000:size=64x64", "-frames:v", "1", "-pix_fmt", format,
                directory.file("\(name).png"),
            ])
        }
    }

    private func export(_ draft: String, _ name: String, _ range: String, _ options: [String] = []) async throws -> String {
        // ProRes decides its quality by itself.
        let quality = options.contains { $0.contains("prores") } ? [] : ["--set", "videoQuality=0"]
        return try await SpoolTool.export(draft, in: directory, name: name, ["--set", "colorRange=\(range)"] + quality + options)
    }

    /// The colours of the middle of each quarter as ffmpeg decodes them with a matrix.
    private func quarters(of film: String, matrix: String) async throws -> [[Int]] {
        let raw = directory.file("raw")
        try await FFmpegTool.ffmpeg([
            "-y", "-i", film, "-vf",
            "scale=in_color_matrix=\(matrix):in_range=tv:flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24",
            "-frames:v", "1", "-f", "rawvideo", raw,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return [(32, 32), (96, 32), (32, 96), (96, 96)].map { x, y in
            (0..<3).map { Int(bytes[(y * 128 + x) * 3 + $0]) }
        }
    }

    private func tags(of film: String) async throws -> String {
        try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=color_range,color_space,color_primaries,color_transfer", "-of",
            "csv=p=0", film,
        ]).split(separator: "\n").first.map(String.init) ?? ""
    }

    private func close(_ found: [Int], _ wanted: [Int], _ distance: Int) -> Bool {
        zip(found, wanted).allSatisfy { abs($0 - $1) <= distance }
    }

    @Test(
        "Every kind of red of BT.709 is the same red in Display P3, by the formulas of both",
        arguments: ["h264", "hevc", "prores"])
    func displayP3(_ codec: String) async throws {
        let film = try await export(
            Self.draft, codec == "prores" ? "p3.mov" : "p3.mp4", "displayP3", ["--set", "videoCodec=\(codec)"])
        #expect(try await tags(of: film) == "tv,bt709,bt709,smpte432")
        // Linear light of BT.709's red in the primaries of Display P3 (SMPTE RP 177), with a gamma of 2.4.
        let wanted = [0.822462, 0.033194, 0.017083].map { Int((255 * pow($0, 1 / 2.4)).rounded()) }
        for (number, found) in try await quarters(of: film, matrix: "bt709").enumerated() {
            #expect(close(found, wanted, 4), "quarter \(number): \(found), not \(wanted)")
        }
    }

    @Test("A film in Display P3 as a source of a film in BT.709 has the colours that it was made of")
    func backAgain() async throws {
        // At the border of BT.709 a rounded code value of Display P3 is as much as fifteen.
        _ = try await export(Self.draft.replacing("#FF0000", with: "#C86432"), "p3.mp4", "displayP3")
        let film = try await export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "p3.mp4"}]}"#, "back.mp4", "bt709")
        #expect(try await tags(of: film) == "tv,bt709,bt709,bt709")
        for found in try await quarters(of: film, matrix: "bt709").prefix(2) {
            #expect(close(found, [200, 100, 50], 3), "\(found)")
        }
    }

    @Test(
        "A generator's colours are those of sRGB, as drawn ones are",
        .enabled(if: FilmColorTests.hasGenerator, "no frei0r-plugins"))
    func generator() async throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 128, "height": 128}, "frameRate": 25, "mainTrackClips":
             [{"type": "generator", "name": "onecol0r", "parameters": {"Color": "#FF0000"}, "duration": 1}]}
            """
        let wanted = try await quarters(of: export(Self.draft, "drawn.mp4", "displayP3"), matrix: "bt709")[0]
        for found in try await quarters(of: export(draft, "generated.mp4", "displayP3"), matrix: "bt709") {
            #expect(close(found, wanted, 2), "\(found), not \(wanted)")
        }
    }

    private static let hasGenerator = FileManager.default.fileExists(atPath: "/usr/lib/frei0r-1/onecol0r.so")

    @Test("White, black and gray of a film of BT.709 are exactly those of a film in Display P3")
    func neutralColors() async throws {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=white:size=64x64", "-f", "lavfi", "-i", "color=black:size=64x64", "-f", "lavfi", "-i",
            "color=0x808080:size=64x64", "-filter_complex",
            "[0][1]hstack[a];[2][0]hstack[b];[a][b]vstack,scale=out_color_matrix=bt709,format=yuv420p", "-frames:v", "5", "-r",
            "25",
            "-c:v", "libx264", "-qp", "0", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
            directory.file("neutral.mp4"),
        ])
        let film = try await export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "neutral.mp4"}]}"#, "neutral-p3.mp4", "displayP3")
        let wanted = try await quarters(of: directory.file("neutral.mp4"), matrix: "bt709")
        for (found, wanted) in zip(try await quarters(of: film, matrix: "bt709"), wanted) {
            #expect(close(found, wanted, 1), "\(found), not \(wanted)")
        }
    }

    @Test("A picture's wide colours are kept in Display P3 and clipped in BT.709")
    func wideColors() async throws {
        // An AVIF in Display P3 whose red BT.709 does not have.
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=0xFF0000:size=128x128", "-vf", "scale=out_color_matrix=bt709:out_range=pc,format=yuv444p",
            "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", "-crf", "1", "-colorspace", "bt709",
            "-color_range", "pc", "-color_primaries", "smpte432", "-color_trc", "bt709", directory.file("wide.avif"),
        ])
        let draft = #"{"version": 1, "frameRate": 25, "mainTrackClips": [{"type": "image", "url": "wide.avif", "duration": 1}]}"#
        let wide = try await export(draft, "wide.mp4", "displayP3")
        let clipped = try await export(draft, "clipped.mp4", "sdr")
        for film in [wide, clipped] {
            for found in try await quarters(of: film, matrix: "bt709") { #expect(close(found, [255, 0, 0], 4), "\(found)") }
        }
        // The same code values are different colours: in the one film of Display P3, in the other of BT.709.
        #expect(try await tags(of: wide) == "tv,bt709,bt709,smpte432")
        #expect(try await tags(of: clipped) == "tv,bt709,bt709,bt709")
    }

    @Test("A film with BT.601's matrix shows the colours of the one with BT.709's", arguments: ["mp4", "mov"])
    func bt601(_ type: String) async throws {
        let draft = Self.draft.replacing("#FF0000", with: "#C86432")
        let codec = type == "mov" ? ["--set", "videoCodec=prores"] : []
        let plain = try await export(draft, "plain.mp4", "sdr")
        let film = try await export(draft, "film.\(type)", "bt601", codec)
        #expect(try await tags(of: film) == "tv,smpte170m,bt709,bt709")
        let (found, wanted) = (try await quarters(of: film, matrix: "bt601"), try await quarters(of: plain, matrix: "bt709"))
        for (found, wanted) in zip(found, wanted) { #expect(close(found, wanted, 3), "\(found), not \(wanted)") }
        let misread = try await quarters(of: film, matrix: "bt709")
        #expect(!close(misread[0], wanted[0], 6), "the matrices cannot be told apart here")
    }

    @Test("The bytes do not depend on the number of processes, and sdr and bt709 are the same film")
    func sameBytes() async throws {
        var films: [Data] = []
        let draft = Self.draft.replacing("\"duration\": 1", with: "\"duration\": 6")
        for (name, range, jobs) in [("1", "displayP3", 1), ("2", "displayP3", 2), ("3", "sdr", 2), ("4", "bt709", 1)] {
            let film = try await export(
                draft, "\(name).mp4", range, ["--jobs", "\(jobs)", "--cache", directory.file("cache\(name)")])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
        }
        #expect(films[0] == films[1] && films[2] == films[3] && films[0] != films[2])
    }

    @Test(
        "Where a film cannot say which colours it has, they are refused",
        arguments: [
            ("gif", ""), ("webp", ""), ("png", ""), ("nut", ""), ("wav", ""), ("mov", "alpha=true videoCodec=prores"),
            ("mp4", "preset=passthrough"),
        ])
    func refused(_ type: String, _ more: String) async throws {
        let path = directory.file("draft.json")
        try Data(Self.draft.utf8).write(to: URL(fileURLWithPath: path))
        for range in ["displayP3", "bt601"] {
            let words = ["plan", path, "--set", "fileType=\(type)", "--set", "colorRange=\(range)"]
            let options = more.split(separator: " ").flatMap { option in
                option.hasPrefix("preset=") ? ["--preset", String(option.dropFirst(7))] : ["--set", String(option)]
            }
            let outcome = try await SpoolTool.run(words + options + ["--cache", directory.file("cache")])
            #expect(outcome.status == 65 && outcome.errors.contains("colorRange"), "\(outcome.errors)")
        }
    }
}
