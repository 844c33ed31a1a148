import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// APNGs whose frames are translucent regions of the canvas, composed by the rules of the PNG specification (third
/// edition, 11.3.6) in exact arithmetic.
@Suite struct HandmadeAPNGTests {
    @Test("Any sequence of disposals and blends is shown as the specification says", arguments: 1...12)
    func parts(_ seed: Int) async throws {
        let directory = try TemporaryDirectory()
        let (path, raw) = (directory.file("a.png"), directory.file("a.rgba"))
        _ = try await PythonTool.run(Self.script, ["\(seed)", path, raw])
        let wanted = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.isAnimatedPicture && video.frameCount == 10 && video.frameRate == FrameRate(10))
        let reader = try FrameReader(SourceReference(facts: facts, path: path))
        let frameBytes = video.size.width * video.size.height * 4
        var worst = 0
        for index in Array(0..<10) + [3, 9, 0, 5] {
            let shown = try PillowFrames.seen(try reader.frame(at: FrameRate(10).time(ofFrame: index)), video)
            let expected = wanted[index * frameBytes..<(index + 1) * frameBytes]
            // The colour of nearly transparent pixels cannot be determined with 8 bits.
            for (offset, pair) in zip(shown, expected).enumerated() where offset % 4 == 3 || shown[offset | 3] > 40 {
                worst = max(worst, abs(Int(pair.0) - Int(pair.1)))
            }
        }
        #expect(worst <= 2)
    }

    /// The script's arguments are a seed, the APNG's path and the path of the raw RGBA of its frames.
    private static let script = """
        import random, struct, sys, zlib
        random.seed(int(sys.argv[1]))
        W, H, N = 19, 13, 10
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        out = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, 8, 6, 0, 0, 0))
        out += chunk(b"acTL", struct.pack(">II", N, 0))
        canvas = [(0, 0, 0, 0)] * (W * H)
        raw = b""
        sequence = 0
        for i in range(N):
            w, h = (W, H) if i == 0 else (random.randint(1, W), random.randint(1, H))
            x, y = random.randint(0, W - w), random.randint(0, H - h)
            dispose, blend = random.randint(0, 2 if i else 1), random.randint(0, 1)
            alphas = [0, 255, random.randint(1, 254), random.randint(1, 254)]
            pixels = [tuple(random.randint(0, 255) for _ in range(3)) + (random.choice(alphas),) for _ in range(w * h)]
            out += chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, w, h, x, y, 1, 10, dispose, blend))
            sequence += 1
            data = zlib.compress(b"".join(
                b"\\0" + b"".join(bytes(p) for p in pixels[row * w:(row + 1) * w]) for row in range(h)))
            if i == 0:
                out += chunk(b"IDAT", data)
            else:
                out += chunk(b"fdAT", struct.pack(">I", sequence) + data)
                sequence += 1
            before = list(canvas)
            for row in range(h):
                for column in range(w):
                    place = (y + row) * W + x + column
                    r, g, b, a = pixels[row * w + column]
                    if blend == 1:
                        under = canvas[place]
                        alpha = a / 255 + under[3] / 255 * (1 - a / 255)
                        mix = [(c * a / 255 + u * under[3] / 255 * (1 - a / 255)) / alpha if alpha else 0
                               for c, u in zip((r, g, b), under)]
                        canvas[place] = tuple(int(round(v)) for v in mix + [alpha * 255])
                    else:
                        canvas[place] = (r, g, b, a)
            raw += b"".join(bytes(p if p[3] else (0, 0, 0, 0)) for p in canvas)
            if dispose == 1:
                for row in range(h):
                    for column in range(w):
                        canvas[(y + row) * W + x + column] = (0, 0, 0, 0)
            elif dispose == 2:
                canvas = before
        open(sys.argv[2], "wb").write(out + chunk(b"IEND", b""))
        open(sys.argv[3], "wb").write(raw)
        """
}
