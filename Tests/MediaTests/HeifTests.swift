import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Compares HEIC and AVIF stills with the picture that they were made of.
@Suite struct HeifTests {
    @Test("HEIC and AVIF files are stills with the original colours", arguments: ["a.heic", "a.avif"])
    func colors(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let png = try await HeifMaker.png("patches.png", in: directory)
        try await HeifMaker.encode(png, ["-q", "95"], to: directory.file(name))
        let (facts, rgba) = try shown(directory.file(name))
        #expect(facts.container == "heif" && facts.audio == nil)
        let video = try #require(facts.video)
        #expect(video.isStill && !video.isAnimatedPicture && !video.hasAlpha && video.frameCount == 1)
        #expect(video.codec == (name.hasSuffix("avif") ? "av1" : "hevc"))
        #expect(video.size == HeifMaker.size && video.orientation == .upright)
        #expect(worst(rgba, alpha: nil) <= 6)
    }

    @Test("An AVIF file whose first brand is a general one is still AV1")
    func generalBrand() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.avif")
        try await HeifMaker.encode(try await HeifMaker.png("patches.png", in: directory), ["-q", "95"], to: path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try #require(bytes[8..<12].elementsEqual("avif".utf8))
        bytes.replaceSubrange(8..<12, with: "mif1".utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try shown(path).0.video?.codec == "av1")
    }

    @Test("Transparency becomes straight alpha, however the file stores it", arguments: ["a.heic", "a.avif"])
    func transparency(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let png = try await HeifMaker.png("patches.png", alpha: 100, in: directory)
        try await HeifMaker.encode(png, ["-q", "95"], to: directory.file(name))
        let (facts, rgba) = try shown(directory.file(name))
        #expect(facts.video?.hasAlpha == true)
        #expect(worst(rgba, alpha: 100) <= 6)
    }

    struct Coding: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The matrix by libswscale's name; `tag` is the name for ffmpeg's `-colorspace`.
        var matrix: String
        var tag: String
        var range: String
        var pixelFormat: String
        var primaries = "bt709"
        var transfer = "bt709"
        var wanted = ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true)
    }

    static let codings = [
        Coding(testDescription: "BT.709, limited", matrix: "bt709", tag: "bt709", range: "tv", pixelFormat: "yuv444p"),
        Coding(testDescription: "BT.709, full", matrix: "bt709", tag: "bt709", range: "pc", pixelFormat: "yuv444p"),
        Coding(testDescription: "BT.601, limited", matrix: "bt601", tag: "smpte170m", range: "tv", pixelFormat: "yuv420p"),
        Coding(testDescription: "BT.601, full", matrix: "bt601", tag: "smpte170m", range: "pc", pixelFormat: "yuv420p"),
        Coding(
            testDescription: "BT.2020 HLG, 10 bits, limited", matrix: "bt2020", tag: "bt2020nc", range: "tv",
            pixelFormat: "yuv420p10le", primaries: "bt2020", transfer: "arib-std-b67",
            wanted: ColorDescription(matrix: .rgb, primaries: .bt2020, transfer: .hlg, isFullRange: true)),
        Coding(
            testDescription: "BT.2020 PQ, 10 bits, full", matrix: "bt2020", tag: "bt2020nc", range: "pc",
            pixelFormat: "yuv444p10le", primaries: "bt2020", transfer: "smpte2084",
            wanted: ColorDescription(matrix: .rgb, primaries: .bt2020, transfer: .pq, isFullRange: true)),
        Coding(
            testDescription: "Display P3, 10 bits, full", matrix: "bt709", tag: "bt709", range: "pc", pixelFormat: "yuv444p10le",
            primaries: "smpte432",
            wanted: ColorDescription(matrix: .rgb, primaries: .displayP3, transfer: .sdr, isFullRange: true)),
    ]

    @Test("Matrix and range of the colour box are undone, primaries and transfer are kept", arguments: codings)
    func coding(_ coding: Coding) async throws {
        let directory = try TemporaryDirectory()
        let png = try await HeifMaker.png("patches.png", in: directory)
        let path = directory.file("a.avif")
        try await FFmpegTool.ffmpeg([
            "-i", png, "-vf",
            "scale=out_color_matrix=\(coding.matrix):out_range=\(coding.range):flags=accurate_rnd+full_chroma_int,format=\(coding.pixelFormat)",
            "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", "-crf", "4", "-colorspace",
            coding.tag,
            "-color_range", coding.range, "-color_primaries", coding.primaries, "-color_trc", coding.transfer, path,
        ])
        let (facts, rgba) = try shown(path)
        #expect(facts.video?.color == coding.wanted)
        #expect(worst(rgba, alpha: nil) <= 6)
    }

    @Test(
        "The file's rotation and mirroring are applied, so the picture is upright",
        arguments: [
            ("irot", 0), ("irot", 1), ("irot", 2), ("irot", 3), ("imir", 0), ("imir", 1),
        ] as [(String, UInt8)])
    func orientation(_ property: String, _ value: UInt8) async throws {
        let directory = try TemporaryDirectory()
        let png = try await HeifMaker.png("patches.png", in: directory)
        let path = directory.file("a.heic")
        try await HeifMaker.encode(png, ["-q", "95"], to: path)
        try HeifMaker.replacePixelInformation(of: path, with: property, value)
        let (facts, rgba) = try shown(path)
        let video = try #require(facts.video)
        let (columns, rows) = (HeifMaker.columns, 3)
        // Rotations by 90 degrees are anticlockwise; axis 0 exchanges top and bottom (ISO/IEC 23008-12:2022, 6.5.10 and
        // 6.5.12).
        let rotated = property == "irot" && value % 2 == 1
        #expect(video.orientation == .upright)
        #expect(video.size.width == (rotated ? HeifMaker.size.height : HeifMaker.size.width))
        var wrong: [String] = []
        for row in 0..<(rotated ? columns : rows) {
            for column in 0..<(rotated ? rows : columns) {
                let (x, y) =
                    switch (property, value) {
                    case ("irot", 1): (columns - 1 - row, column)
                    case ("irot", 2): (columns - 1 - column, rows - 1 - row)
                    case ("irot", 3): (row, rows - 1 - column)
                    case ("imir", 0): (column, rows - 1 - row)
                    case ("imir", 1): (columns - 1 - column, row)
                    default: (column, row)
                    }
                let (width, height) =
                    rotated ? (HeifMaker.side.height, HeifMaker.side.width) : (HeifMaker.side.width, HeifMaker.side.height)
                let place = ((row * height + height / 2) * video.size.width + column * width + width / 2) * 4
                let color = rgba[place..<place + 3].map(Int.init)
                let difference = zip(color, HeifMaker.patches[y * columns + x]).map { abs($0 - $1) }.max() ?? 255
                if difference > 6 { wrong.append("\(column), \(row): \(color)") }
            }
        }
        #expect(wrong == [])
    }

    @Test("An AVIF sequence is an animated picture with exactly the frames that ffmpeg made")
    func sequence() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.avif")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p", path,
        ])
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.isAnimatedPicture && !video.isStill)
        #expect(video.frameCount == 10 && video.duration == MediaTime(seconds: 1))
    }

    @Test(
        "An iPhone photo is upright, has an ICC profile, and has all of its tiles",
        .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)))
    func phone() throws {
        let (facts, rgba) = try shown(SharedMedia.file("image/iphone_photo.heic"))
        let video = try #require(facts.video)
        #expect(video.isStill && video.orientation == .upright && video.codec == "hevc")
        #expect(video.profile?.name == "Display P3" && video.profile?.isApplied == true)
        // No tile of a photo has only one colour.
        let (across, down) = (video.size.width / 256, video.size.height / 256)
        for tile in 0..<across * down {
            let origin = (tile / across * 256 * video.size.width + tile % across * 256) * 4
            // The red of the evening sky is beyond sRGB, and clipped.
            let green = stride(from: 0, to: 256 * 4, by: 4).map { rgba[origin + $0 + 1] }
            #expect(Set(green).count > 1, "tile \(tile)")
        }
    }

    /// The probe's facts, and the still in RGBA with unchanged primaries and transfer.
    private func shown(_ path: String) throws -> (SourceFacts, [UInt8]) {
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        let frame = try FrameReader(SourceReference(facts: facts, path: path)).frame(at: MediaTime(seconds: 1))
        return (facts, try PillowFrames.seen(frame, video))
    }

    /// The greatest difference in the middle of any patch, including its alpha.
    /// - Parameter alpha: the alpha of the left half; nil for none.
    private func worst(_ rgba: [UInt8], alpha: Int?) -> Int {
        HeifMaker.patches.indices.map { index in
            let (column, row) = (index % HeifMaker.columns, index / HeifMaker.columns)
            let x = column * HeifMaker.side.width + HeifMaker.side.width / 2
            let y = row * HeifMaker.side.height + HeifMaker.side.height / 2
            let place = (y * HeifMaker.size.width + x) * 4
            let wanted = HeifMaker.patches[index] + [x < HeifMaker.size.width / 2 ? alpha ?? 255 : 255]
            return zip(rgba[place..<place + 4], wanted).map { abs(Int($0) - $1) }.max() ?? 255
        }.max() ?? 255
    }
}
