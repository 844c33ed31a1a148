import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// Pictures with ICC profiles. The witness is Pillow's ImageCms, which calls Little CMS by itself, and for one profile the
/// formulas of its colour space.
@Suite("ICC profiles of pictures")
struct ProfiledPictureTests {
    /// Python that makes profiles: of red, green and blue with primaries and a gamma, and of gray with a gamma.
    private static let profiles = """
        import struct, zlib
        from PIL import Image, ImageCms

        def number(x):
            return struct.pack(">i", round(x * 65536))

        def profile(tags, space=b"RGB "):
            \"\"\"A version 2 profile of a screen (ICC.1:2001-04).\"\"\"
            table, data = b"", b""
            start = 128 + 4 + 12 * len(tags)
            for name, content in tags:
                table += name + struct.pack(">II", start + len(data), len(content))
                data += content + bytes(-len(content) % 4)
            head = struct.pack(">I4sI4s4s4s", start + len(data), b"test", 0x02100000, b"mntr", space, b"XYZ ")
            head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(24)
            head += struct.pack(">I", 1) + number(0.9642) + number(1) + number(0.8249)
            head += bytes(128 - len(head))
            return head + struct.pack(">I", len(tags)) + table + data

        def name(text):
            text = text.encode() + b"\\0"
            return b"desc" + bytes(4) + struct.pack(">I", len(text)) + text + bytes(4 + 4 + 2 + 1 + 67)

        def place(x, y, z):
            return b"XYZ " + bytes(4) + number(x) + number(y) + number(z)

        def curve(gamma):
            return b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))

        white = (b"wtpt", place(0.9642, 1, 0.8249))

        def rgb(title, red, green, blue, gamma):
            return profile([
                (b"desc", name(title)), white, (b"rXYZ", place(*red)), (b"gXYZ", place(*green)), (b"bXYZ", place(*blue)),
                (b"rTRC", curve(gamma)), (b"gTRC", curve(gamma)), (b"bTRC", curve(gamma))])

        # The colorants of Display P3 and of Adobe RGB (1998), adapted to D50.
        p3 = rgb("Test P3", (0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407), 2.2)
        adobe = rgb("Test Adobe", (0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457), 2.2)
        gray = profile([(b"desc", name("Test gray")), white, (b"kTRC", curve(1.0))], b"GRAY")
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

        def patches(mode="RGB", least=0, most=255):
            def value(step):
                return least + step * (most - least) // 63
            picture = Image.new("RGB", (64, 64))
            picture.putdata([(value(x), value(y), value((x * 5 + y * 3) % 64)) for y in range(64) for x in range(64)])
            if mode == "RGBA":
                picture.putalpha(Image.linear_gradient("L").resize((64, 64)))
            return picture if mode in ("RGB", "RGBA") else picture.convert(mode)

        def seen(picture, icc):
            \"\"\"The picture in sRGB by Little CMS, as RGBA.\"\"\"
            if icc is None:
                return picture.convert("RGBA")
            import io
            source = ImageCms.ImageCmsProfile(io.BytesIO(icc))
            alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
            colors = picture.convert("RGB") if alpha else picture
            shown = ImageCms.profileToProfile(
                colors, source, ImageCms.createProfile("sRGB"), renderingIntent=1, outputMode="RGB",
                flags=0x2000)  # compensation of black points
            result = shown.convert("RGBA")
            if alpha:
                result.putalpha(alpha)
            return result
        """

    /// Makes a picture and says how it has to look.
    /// - Parameter script: Python that saves a picture at `path` and leaves what is seen in `result`.
    private func made(
        _ name: String, in directory: TemporaryDirectory, _ script: String
    ) async throws -> (path: String, rgba: [UInt8]) {
        let (path, raw) = (directory.file(name), directory.file("seen.rgba"))
        let program = """
            import sys
            path, raw = sys.argv[1:3]
            \(ProfiledPictureTests.profiles)
            \(script)
            open(raw, "wb").write(result.tobytes())
            """
        _ = try await PythonTool.run(program, [path, raw])
        return (path, PillowFrames.seen([UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))))
    }

    private func shown(_ path: String) throws -> (video: VideoFacts, rgba: [UInt8], warnings: [SourceWarning.Code]) {
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        let damage = DamageLog()
        let frame = try FrameReader(SourceReference(facts: facts, path: path), damage: damage).frame(at: .zero)
        return (video, try PillowFrames.seen(frame, video), damage.warnings.map(\.code))
    }

    /// The greatest difference of two pictures, and the mean difference.
    private func difference(_ a: [UInt8], _ b: [UInt8]) -> (most: Int, mean: Double) {
        guard a.count == b.count else { return (256, 256) }
        let all = zip(a, b).map { abs(Int($0) - Int($1)) }
        return (all.max() ?? 256, Double(all.reduce(0, +)) / Double(max(1, all.count)))
    }

    @Test(
        "A picture with a profile has the colours that Little CMS gives it",
        arguments: [
            ("png", "RGB", "p3"), ("png", "RGBA", "p3"), ("png", "L", "gray"), ("tif", "RGB", "adobe"), ("webp", "RGB", "adobe"),
            ("webp", "RGBA", "p3"), ("png", "P", "p3"),
        ])
    func lossless(_ suffix: String, _ mode: String, _ profile: String) async throws {
        let directory = try TemporaryDirectory()
        let (path, wanted) = try await made(
            "a.\(suffix)", in: directory,
            """
            picture = patches("\(mode)")
            picture.save(path, icc_profile=\(profile)\(suffix == "webp" ? ", lossless=True, exact=True" : ""))
            result = seen(picture.convert("RGB") if picture.mode == "P" else picture, \(profile))
            """)
        let (video, rgba, warnings) = try shown(path)
        #expect(video.profile?.name == ["p3": "Test P3", "adobe": "Test Adobe", "gray": "Test gray"][profile])
        #expect(video.profile?.isApplied == true)
        #expect(video.color == ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true))
        #expect(difference(rgba, wanted).most <= 1)
        #expect(warnings == [])
        // Without its profile the picture looks different, so that the comparison says something.
        let plain = directory.file("plain.\(suffix)")
        _ = try await PythonTool.run(
            "import sys\nfrom PIL import Image\nImage.open(sys.argv[1]).save(sys.argv[2], icc_profile=None, lossless=True)",
            [path, plain])
        let (unprofiled, plainPixels, _) = try shown(plain)
        #expect(unprofiled.profile == nil)
        #expect(difference(plainPixels, wanted).most > 8)
    }

    /// At the border of sRGB a step of one code value in Display P3 becomes more than ten, so pictures that are not
    /// lossless stay away from it here.
    private static let inner = "patches(least=120, most=180)"

    @Test("A JPEG with a profile has the colours that Little CMS gives to its decoded pixels")
    func jpeg() async throws {
        let directory = try TemporaryDirectory()
        let (path, wanted) = try await made(
            "a.jpg", in: directory,
            """
            \(ProfiledPictureTests.inner).resize((256, 256), Image.NEAREST).save(path, icc_profile=p3, quality=95, subsampling=0)
            result = seen(Image.open(path), p3)
            """)
        let (video, rgba, _) = try shown(path)
        #expect(video.profile?.isApplied == true)
        let (most, mean) = difference(rgba, wanted)
        #expect(most <= 4 && mean < 0.5, "at most \(most), mean \(mean)")
    }

    @Test("Sixteen bits of each channel keep their precision up to the profile")
    func sixteenBits() async throws {
        let directory = try TemporaryDirectory()
        // Pillow writes no PNG with 16 bits of red, green and blue, so its chunks are written here.
        let (path, _) = try await made(
            "a.png", in: directory,
            """
            rows = b"".join(b"\\0" + b"".join(struct.pack(">HHH", x * 1040, y * 1040, 65535 - x * 1040) for x in range(64)) for y in range(64))
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            with open(path, "wb") as out:
                out.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 16, 2, 0, 0, 0)))
                out.write(chunk(b"iCCP", b"p3\\0\\0" + zlib.compress(p3)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            result = patches()
            """)
        let (video, rgba, _) = try shown(path)
        #expect(video.bitsPerSample == 16 && video.profile?.isApplied == true)
        var worst = 0
        for y in 0..<64 {
            for x in 0..<64 {
                let wanted = ProfiledPictureTests.standard([x * 1040, y * 1040, 65_535 - x * 1040].map { Double($0) / 65_535 })
                let place = 4 * (64 * y + x)
                for channel in 0..<3 { worst = max(worst, abs(Int(rgba[place + channel]) - wanted[channel])) }
            }
        }
        // With 8 bits before the profile it would be 6.
        #expect(worst <= 2)
    }

    @Test("HEIC and AVIF stills and animated pictures are converted as well", arguments: ["heic", "avif", "webp", "apng"])
    func otherDecoders(_ suffix: String) async throws {
        let directory = try TemporaryDirectory()
        let isAnimated = suffix == "webp" || suffix == "apng"
        let name = isAnimated ? "a.\(suffix == "apng" ? "png" : suffix)" : "source.png"
        let (source, wanted) = try await made(
            name, in: directory,
            """
            picture = \(ProfiledPictureTests.inner)
            more = dict(save_all=True, append_images=[picture.rotate(90)], duration=100) if \(isAnimated ? "True" : "False") else {}
            picture.save(path, icc_profile=p3, **(dict(lossless=True) if path.endswith("webp") else {}), **more)
            result = seen(picture, p3)
            """)
        var path = source
        if !isAnimated {
            path = directory.file("a.\(suffix)")
            try await HeifMaker.encode(source, (suffix == "avif" ? ["-A"] : []) + ["-L", "-p", "chroma=444"], to: path)
        }
        let (video, rgba, _) = try shown(path)
        #expect(video.isAnimatedPicture == isAnimated)
        #expect(video.profile?.name == "Test P3" && video.profile?.isApplied == true)
        let (most, mean) = difference(rgba, wanted)
        #expect(isAnimated ? most <= 1 : most <= 8 && mean < 1.5, "at most \(most), mean \(mean)")
    }

    @Test("The red of Display P3 is beyond sRGB, and its gray is the gray of sRGB, by the formulas of both")
    func formulas() async throws {
        let directory = try TemporaryDirectory()
        let (path, _) = try await made(
            "a.png", in: directory,
            """
            picture = Image.new("RGB", (4, 1))
            picture.putdata([(255, 0, 0), (128, 128, 128), (200, 100, 50), (0, 0, 0)])
            picture = picture.resize((64, 16), Image.NEAREST)
            picture.save(path, icc_profile=p3)
            result = picture
            """)
        let (_, rgba, _) = try shown(path)
        func pixel(_ index: Int) -> [Int] { rgba[(4 * 16 * index + 32)..<(4 * 16 * index + 35)].map(Int.init) }
        #expect(pixel(0) == [255, 0, 0])
        // A gamma of 2.2 and the curve of sRGB differ by less than a code value in the middle.
        #expect(zip(pixel(1), [128, 128, 128]).allSatisfy { abs($0 - $1) <= 1 })
        #expect(zip(pixel(2), ProfiledPictureTests.standard([200, 100, 50].map { $0 / 255 })).allSatisfy { abs($0 - $1) <= 1 })
        #expect(pixel(3) == [0, 0, 0])
    }

    /// A colour of Display P3 with a gamma of 2.2 in sRGB (IEC 61966-2-1), by the primaries of SMPTE RP 431-2 and BT.709
    /// with the same white.
    /// - Parameter color: red, green and blue, 0...1.
    private static func standard(_ color: [Double]) -> [Int] {
        let rows = [[1.224940, -0.224940, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274]]
        let light = color.map { pow($0, 2.2) }
        return rows.map { row in
            let value = min(1, max(0, zip(row, light).map(*).reduce(0, +)))
            let code = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            return Int((code * 255).rounded())
        }
    }

    @Test("A profile of sRGB changes nothing, not even the pixels' format")
    func standardProfile() async throws {
        let directory = try TemporaryDirectory()
        let (path, wanted) = try await made(
            "a.png", in: directory, "picture = patches()\npicture.save(path, icc_profile=srgb)\nresult = seen(picture, None)")
        let (video, rgba, warnings) = try shown(path)
        #expect(video.profile == nil && warnings == [])
        #expect(rgba == wanted)
    }

    @Test(
        "A profile that is damaged or meant for other pixels is not used, and the film says so",
        arguments: [
            "p3[:200]", "bytes(3000)", "gray", "p3[:16] + b'CMYK' + p3[20:]", "p3[:132] + bytes([255]) * (len(p3) - 132)",
        ])
    func unused(_ profile: String) async throws {
        let directory = try TemporaryDirectory()
        let (path, wanted) = try await made(
            "a.png", in: directory,
            "picture = patches()\npicture.save(path, icc_profile=\(profile))\nresult = seen(picture, None)")
        let (video, rgba, warnings) = try shown(path)
        #expect(video.profile?.isApplied == false)
        #expect(rgba == wanted)
        #expect(warnings == [.unusedProfile])
    }

    @Test("Facts with a profile are the same after JSON, and without it they are those of the stored samples")
    func facts() async throws {
        let directory = try TemporaryDirectory()
        let (path, _) = try await made(
            "a.jpg", in: directory, "picture = patches()\npicture.save(path, icc_profile=p3)\nresult = picture")
        let facts = try Probe.facts(ofFile: path)
        #expect(try JSONDecoder().decode(SourceFacts.self, from: JSONEncoder().encode(facts)) == facts)
        let stored = try #require(facts.video?.stored)
        #expect(stored.profile == nil && stored.color.matrix == .bt601 && stored.color.isFullRange)
    }
}
