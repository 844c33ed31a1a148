import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Pictures with 10-bit pass-through: bit-identical to the source where nothing has to be done, otherwise compared with
/// ffmpeg.
@Suite struct PassThroughPictureTests {
    private static let size = FrameSize(width: 64, height: 40)
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func source(
        _ picture: TenBitPicture, layout: String = "yuv420p10le", _ options: [String] = TenBitClip.Colors.pq.options
    ) async throws -> TestSource {
        let path = directory.file("source.mkv")
        try await RawVideo.write(
            [picture.bytes], pixelFormat: layout, size: picture.size, options: options, to: path)
        return try TestSource(path)
    }

    private func kept(
        _ layers: [Layer], _ canvas: FrameSize, _ source: TestSource, in format: VideoFrame.Format = .yuv420p10
    ) throws -> TenBitPicture {
        let always = TimeRange(start: .zero, duration: MediaTime(seconds: 3600))
        let compositor = try Compositor(
            Instruction(timeRange: always, layers: layers), canvas: canvas, frameRate: FrameRate(25), sources: source.sources,
            passThroughFormat: format)
        return TenBitPicture(try compositor.picture(atFrame: 0))
    }

    /// The source's picture through a chain of ffmpeg's filters.
    private func witness(
        _ source: TestSource, _ filters: String, _ size: FrameSize, layout: String = "yuv420p10le",
        shift: (x: Int, y: Int) = (1, 1)
    ) async throws -> TenBitPicture {
        let raw = directory.file("witness.mkv")
        try await FFmpegTool.ffmpeg([
            "-i", source.reference.path, "-vf", filters, "-pix_fmt", layout, "-c:v", "ffv1", raw,
        ])
        let empty = TenBitPicture(size: size, shift: shift)
        let bytes = try await RawVideo.decode(raw, pixelFormat: layout, bytesPerFrame: empty.bytes.count)[0]
        return TenBitPicture(size: size, shift: shift, bytes: bytes)
    }

    private static let flags = "flags=bicubic+accurate_rnd+bitexact"

    @Test("A picture at its own size has every bit of its source", arguments: TenBitClip.Colors.allCases)
    func untouched(_ colors: TenBitClip.Colors) async throws {
        let picture = TenBitPicture.noise(PassThroughPictureTests.size, seed: 91)
        let source = try await source(picture, colors.options)
        #expect(source.reference.facts.video?.bitsPerSample == 10)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(picture.size)))
        #expect(try kept([layer], picture.size, source) == picture)
    }

    @Test("Every frame of an HDR10 clip has the bits that ffmpeg decodes, forwards and backwards")
    func everyFrame() async throws {
        let path = directory.file("n.mp4")
        try await TenBitClip.write(.pq, hasHDRMetadata: true, frames: 30, to: path)
        let source = try TestSource(path)
        let size = TenBitClip.size
        let wanted = try await RawVideo.decode(
            path, pixelFormat: "yuv420p10le", bytesPerFrame: TenBitPicture(size: size).bytes.count)
        #expect(wanted.count == 30)
        for isReversed in [false, true] {
            let timing = SourceTiming(
                timelineStart: .zero, sourceStart: isReversed ? MediaTime(seconds: 1) : .zero,
                rate: isReversed ? Rational(-1) : .one)
            let layer = Layer(
                content: .video(source: source.hash, timing: timing), placement: .whole(into: PixelRect(size)))
            let compositor = try Compositor(
                Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)), layers: [layer]), canvas: size,
                frameRate: FrameRate(30), sources: source.sources, passThroughFormat: .yuv420p10)
            let pictures = try (0..<30).map { TenBitPicture(try compositor.picture(atFrame: $0)).bytes }
            #expect(pictures == (isReversed ? wanted.reversed() : wanted))
        }
    }

    @Test(
        "A scaled picture is within one code value of ffmpeg's in its own matrix",
        arguments: [FrameSize(width: 96, height: 60), FrameSize(width: 128, height: 40), FrameSize(width: 32, height: 20)])
    func scaled(_ size: FrameSize) async throws {
        let source = try await source(TenBitPicture.noise(PassThroughPictureTests.size, seed: 92))
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(size)))
        let wanted = try await witness(source, "scale=\(size.width):\(size.height):\(PassThroughPictureTests.flags)", size)
        let found = try kept([layer], size, source)
        #expect(found.largestDifference(from: wanted) <= 1)
        #expect(found != TenBitPicture(size: size))
    }

    @Test("A cropped picture equals that part of the source, and its bars are black in 10 bits")
    func croppedAndFramed() async throws {
        let picture = TenBitPicture.noise(PassThroughPictureTests.size, seed: 93)
        let source = try await source(picture)
        let part = PixelRect(x: 8, y: 6, width: 32, height: 20)
        let region = Region(x: Rational(8, 64), y: Rational(6, 40), width: Rational(32, 64), height: Rational(20, 40))
        let place = PixelRect(x: 10, y: 4, width: 32, height: 20)
        let layer = Layer(
            content: source.playing, placement: Placement(orientation: .upright, region: region, destination: place))
        let canvas = FrameSize(width: 52, height: 28)
        let found = try kept([.solid(.black), layer], canvas, source)
        #expect(found.part(place) == picture.part(part))
        var bars = found
        for index in 0..<3 {
            let step = index == 0 ? 1 : 2
            for y in 0..<(place.height / step) {
                for x in 0..<(place.width / step) {
                    bars.planes[index][(place.y / step + y) * bars.width(index) + place.x / step + x] = index == 0 ? 64 : 512
                }
            }
        }
        #expect(bars == TenBitPicture(size: canvas))
        #expect(try kept([.solid(.black)], canvas, source) == TenBitPicture(size: canvas))
    }

    @Test("A rotated and mirrored picture equals the result of ffmpeg's filters", arguments: OrientationTests.all)
    func rotated(_ orientation: Orientation) async throws {
        let picture = TenBitPicture.noise(PassThroughPictureTests.size, seed: 94)
        let source = try await source(picture)
        let size =
            orientation.swapsAxes
            ? FrameSize(width: picture.size.height, height: picture.size.width) : picture.size
        let filters =
            [orientation.mirrored ? "hflip" : "null"] + [String](repeating: "transpose=clock", count: orientation.quarterTurns)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(size), orientation))
        let wanted = try await witness(source, filters.joined(separator: ","), size)
        #expect(try kept([layer], size, source) == wanted)
        // For ProRes (4:2:2) the luma is the same, and chroma has all rows.
        let wide = try kept([layer], size, source, in: .yuv422p10)
        #expect(wide.planes[0] == wanted.planes[0])
        #expect(wide.height(1) == size.height && wide.planes[1].count == size.width / 2 * size.height)
    }

    @Test("8-bit pictures of the same colours become 10-bit by exactly four times each code value")
    func widened() async throws {
        let picture = PlanarPicture.noise(PassThroughPictureTests.size, seed: 95)
        let source = try await TestSource([picture], in: directory)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(picture.size)))
        let found = try kept([layer], picture.size, source)
        #expect(found.planes == picture.planes.map { $0.map { UInt16($0) * 4 } })
    }

    @Test("Full range is converted to limited range and not just relabelled")
    func fullRange() async throws {
        var picture = TenBitPicture(size: PassThroughPictureTests.size, y: 0)
        for place in picture.planes[0].indices { picture.planes[0][place] = UInt16(place % 64 * 1023 / 63) }
        for place in picture.planes[1].indices { picture.planes[1][place] = UInt16(place % 32 * 1023 / 31) }
        let source = try await source(picture, TenBitClip.Colors.pq.options + ["-color_range", "pc"])
        #expect(source.reference.facts.video?.color.isFullRange == true)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(picture.size)))
        let found = try kept([layer], picture.size, source)
        let luma = picture.planes[0].map { UInt16((64 + 876 * Double($0) / 1023).rounded()) }
        let blue = picture.planes[1].map { UInt16((512 + 896 * (Double($0) - 512) / 1023).rounded()) }
        #expect(found.planes[0] == luma && found.planes[1] == blue)
        #expect(found.planes[0].max() == 940 && found.planes[2].allSatisfy { $0 == 512 })
    }

    @Test("A 4:2:2 source goes to ProRes unchanged, and to 4:2:0 as ffmpeg converts it")
    func wideChroma() async throws {
        let picture = TenBitPicture.noise(PassThroughPictureTests.size, seed: 96, shift: (1, 0))
        let source = try await source(picture, layout: "yuv422p10le")
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(picture.size)))
        #expect(try kept([layer], picture.size, source, in: .yuv422p10) == picture)
        let wanted = try await witness(
            source, "scale=flags=bicubic+full_chroma_int+full_chroma_inp+accurate_rnd+bitexact", picture.size)
        #expect(try kept([layer], picture.size, source).largestDifference(from: wanted) <= 1)
    }

    @Test("Layers that would have to be composed are refused and never drawn in part")
    func refused() async throws {
        let source = try await source(TenBitPicture.noise(PassThroughPictureTests.size, seed: 97))
        let placement = Placement.whole(into: PixelRect(PassThroughPictureTests.size))
        let plain = Layer(content: source.playing, placement: placement)
        let faint = Layer(content: source.playing, placement: placement, opacity: .constant(0.5))
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        for layers in [[faint], [plain, plain], [.solid(white), plain], [plain, Layer(content: .adjustment)]] {
            #expect(throws: MediaError.self) { try kept(layers, PassThroughPictureTests.size, source) }
        }
    }
}
