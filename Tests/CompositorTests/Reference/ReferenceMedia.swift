import ExactTime
import ExportPlan
import Media
import Vocabulary
import TestSupport

/// The sources of random drafts, as files for the product and as pictures for the reference. Their colours change so
/// slowly from place to place that half-resolution chroma represents them well, and fast enough from frame to frame to
/// tell frames apart.
struct ReferenceMedia {
    private(set) var pictures: [String: ReferenceSource] = [:]
    /// By `url`.
    private(set) var facts: [String: SourceFacts] = [:]
    /// By content hash.
    private(set) var files: [String: SourceReference] = [:]
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        try await add("film.mkv", FrameSize(width: 64, height: 48), frames: 50, rate: 25)
        try await add("slow.mkv", FrameSize(width: 40, height: 36), frames: 40, rate: 2)
        try await add("card.png", FrameSize(width: 70, height: 50), seed: 3, hasAlpha: false) { _, _ in 1 }
        try await add("odd.png", FrameSize(width: 45, height: 33), seed: 4, hasAlpha: false) { _, _ in 1 }
        try await add("soft.png", FrameSize(width: 56, height: 48), seed: 5, hasAlpha: true) { x, y in
            let (dx, dy) = ((x - 28) / 28, (y - 24) / 24)
            return max(0, 1 - (dx * dx + dy * dy).squareRoot())
        }
        try await add("cut.png", FrameSize(width: 32, height: 28), seed: 6, hasAlpha: true) { x, y in
            (x - 16) * (x - 16) + (y - 14) * (y - 14) < 110 || (x < 7 && y < 9) ? 1 : 0
        }
    }

    /// A colour that varies within the middle of the range in long waves.
    private static func color(_ x: Double, _ y: Double, phase: Double) -> SIMD3<Double> {
        SIMD3(
            0.5 + 0.26 * wave(x / 210 + y / 330 + phase), 0.5 + 0.24 * wave(y / 240 - x / 400 + 0.3 + 0.7 * phase),
            0.5 + 0.26 * wave(x / 300 - y / 250 + 0.6 - phase))
    }

    /// A smooth wave of period 1 between -1 and 1, made of parabolas.
    private static func wave(_ t: Double) -> Double {
        let u = 2 * (t - t.rounded(.down)) - 1
        return 4 * u * (1 - abs(u))
    }

    /// Adds a lossless video.
    private mutating func add(_ name: String, _ size: FrameSize, frames: Int, rate: Int) async throws {
        let planar = (0..<frames).map { frame in
            PlanarPicture(size) { ReferenceMedia.color($0, $1, phase: Double(frame) * 0.031) }
        }
        let path = directory.file(name)
        try await RawVideo.write(planar.map(\.bytes), pixelFormat: "yuv420p", size: size, rate: rate, to: path)
        try add(
            name, path,
            ReferenceSource(
                pictures: planar.map(ReferencePicture.init), rate: Rational(rate), tolerance: MediaTime(Rational(1, 1000))))
    }

    /// Adds a still.
    private mutating func add(
        _ name: String, _ size: FrameSize, seed: Int, hasAlpha: Bool, alpha: (Double, Double) -> Double
    ) async throws {
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                let color = ReferenceMedia.color(px, py, phase: Double(seed) * 0.17)
                for (channel, value) in [color.x, color.y, color.z, alpha(px, py)].enumerated() {
                    plane.row(y)[4 * x + channel] = UInt8((value * 255).rounded())
                }
            }
        }
        let path = directory.file(name)
        try PictureFile.write(frame, as: .png, to: path)
        let picture = ReferencePicture(width: size.width, height: size.height) { x, y in
            let pixel = plane.row(y) + 4 * x
            return SIMD4(Double(pixel[0]), Double(pixel[1]), Double(pixel[2]), Double(pixel[3])) / 255
        }
        if !hasAlpha {
            let opaque = directory.file("opaque-\(name)")
            try await FFmpegTool.ffmpeg(["-i", path, "-pix_fmt", "rgb24", opaque])
            return try add(name, opaque, ReferenceSource(pictures: [picture]))
        }
        var marked = picture
        marked.markEdges(reach: 1)
        try add(name, path, ReferenceSource(pictures: [marked]))
    }

    private mutating func add(_ name: String, _ path: String, _ source: ReferenceSource) throws {
        let found = try Probe.facts(ofFile: path)
        pictures[name] = source
        facts[name] = found
        files[found.contentHash] = SourceReference(facts: found, path: path)
    }
}

extension PlanarPicture {
    /// A picture of these colours, 0...1, sampled at the middles of its samples.
    fileprivate init(_ size: FrameSize, _ color: (_ x: Double, _ y: Double) -> SIMD3<Double>) {
        self.init(size: size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let step = plane == 0 ? 1.0 : 2.0
            for y in 0..<height(plane) {
                for x in 0..<width(plane) {
                    let value = color((Double(x) + 0.5) * step, (Double(y) + 0.5) * step) * 255
                    planes[plane][y * width(plane) + x] = UInt8(bt709(value.x, value.y, value.z)[plane].rounded())
                }
            }
        }
    }
}

extension ReferencePicture {
    /// A 4:2:0 picture with each chroma sample used for its four pixels (ITU-R BT.709-6, items 3.2 to 3.5).
    init(_ picture: PlanarPicture) {
        self.init(width: picture.size.width, height: picture.size.height) { x, y in
            let chroma = y / 2 * picture.width(1) + x / 2
            let luma = (Double(picture.planes[0][y * picture.size.width + x]) - 16) / 219
            let blue = luma + 1.8556 * (Double(picture.planes[1][chroma]) - 128) / 224
            let red = luma + 1.5748 * (Double(picture.planes[2][chroma]) - 128) / 224
            return SIMD4(red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue, 1)
        }
    }
}
