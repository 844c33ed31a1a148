import ExportPlan
import Operations
import TestSupport
import Testing
import Glibc

/// Blurs of every width compared with the true Gaussian, out to six standard deviations in double precision, on
/// pictures that are difficult for a blur on a shrunk plane, and on real footage.
@Suite struct BlurWitnessTests {
    private static let deviations = [0.3, 2, 4.9, 5, 7.3, 9.9, 10, 20, 33, 100]

    @Test("A blur equals the Gaussian within one code value on noise, stripes, steps and dots", arguments: deviations)
    func hard(_ deviation: Double) throws {
        let size = FrameSize(width: 203, height: 146)
        for (name, picture) in BlurWitnessTests.pictures(size) {
            let found = try picture.applying([.constant("blur", ["radius": deviation])])
            let planes = (0..<3).map { channel in
                let samples = stride(from: channel, to: picture.bytes.count, by: 3).map { Double(picture.bytes[$0]) }
                return gaussian(samples, size, deviation)
            }
            var worst = 0.0
            for (index, value) in found.bytes.enumerated() {
                worst = max(worst, abs(Double(value) - planes[index % 3][index / 3]))
            }
            #expect(worst <= 1, "\(name), deviation \(deviation): \(worst)")
        }
    }

    @Test("Blurred real footage equals the Gaussian within one code value", .enabled(if: SharedMedia.isPresent))
    func footage() async throws {
        let size = FrameSize(width: 480, height: 270)
        let path = SharedMedia.file("av/bbb_1080p24_h264_aac51_30s.mp4")
        let directory = try TemporaryDirectory()
        let small = directory.file("small.mkv")
        try await FFmpegTool.ffmpeg([
            "-ss", "12", "-i", path, "-frames:v", "1", "-vf", "scale=480:270:flags=area", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
            small,
        ])
        let counts = [480 * 270, 240 * 135, 240 * 135]
        let bytes = try await RawVideo.decode(small, pixelFormat: "yuv420p", bytesPerFrame: counts.reduce(0, +))[0]
        let picture = PlanarPicture(
            size: size,
            planes: [
                Array(bytes[..<counts[0]]), Array(bytes[counts[0]..<(counts[0] + counts[1])]),
                Array(bytes[(counts[0] + counts[1])...]),
            ])
        for deviation in [1.0, 3, 6, 12, 20, 45] {
            let found = try picture.applying([.constant("blur", ["radius": deviation])])
            for plane in 0..<3 {
                let wanted = reference(picture, plane, deviation)
                let worst = zip(found.planes[plane], wanted).map { abs(Double($0) - $1) }.max() ?? 255
                #expect(worst <= 1, "plane \(plane), deviation \(deviation): \(worst)")
            }
        }
    }

    @Test("A picture of one colour keeps it, however small the picture and wide the blur", arguments: [0.1, 3, 12, 100])
    func flat(_ deviation: Double) throws {
        for (width, height) in [(1, 1), (2, 7), (33, 16), (300, 3)] {
            let size = FrameSize(width: width, height: height)
            let picture = PlanarPicture(size: size, y: 90, u: 201, v: 77)
            #expect(try picture.applying([.constant("blur", ["radius": deviation])]) == picture)
        }
    }

    @Test("A blur of a shifted picture is the shifted blur within one code value", arguments: [6.0, 12, 25, 60])
    func shifted(_ deviation: Double) throws {
        let size = FrameSize(width: 260, height: 40)
        func bar(at left: Int) -> PlanarPicture {
            var picture = PlanarPicture(size: size, y: 16, u: 128, v: 128)
            for y in 0..<40 { for x in left..<(left + 11) { picture.planes[0][y * 260 + x] = 235 } }
            return picture
        }
        let first = try bar(at: 120).applying([.constant("blur", ["radius": deviation])])
        for shift in 1...8 {
            let moved = try bar(at: 120 + shift).applying([.constant("blur", ["radius": deviation])])
            var worst = 0
            for x in 0..<240 { worst = max(worst, abs(Int(first.planes[0][x]) - Int(moved.planes[0][x + shift]))) }
            #expect(worst <= 1, "by \(shift)")
        }
    }

    private static func pictures(_ size: FrameSize) -> [(String, PixelPicture)] {
        func make(_ name: String, _ value: (_ x: Int, _ y: Int) -> Double) -> (String, PixelPicture) {
            var bytes: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let code = UInt8(min(255, max(0, value(x, y))).rounded())
                    bytes += [code, 255 - code, UInt8(x * 255 / size.width)]
                }
            }
            return (name, PixelPicture(size: size, channels: 3, bytes: bytes))
        }
        return [
            ("noise", .colorful(size)), make("step") { x, y in x + y / 3 < 100 ? 0 : 255 },
            make("stripes of 4 pixels") { x, _ in x / 2 % 2 == 0 ? 0 : 255 },
            make("stripes of 8.7 pixels") { x, y in 127.5 + 127.5 * sin(2 * .pi * Double(x) / 8.7) },
            make("stripes of 17.1 pixels") { x, y in 127.5 + 127.5 * sin(2 * .pi * Double(y) / 17.1) },
            make("dot") { x, y in (100..<103).contains(x) && (70..<73).contains(y) ? 255 : 0 },
            make("bright last column") { x, _ in x == size.width - 1 ? 255 : 0 },
        ].map { ($0.0, $0.1) }
    }

    /// The result of a blur at full resolution for a plane. Chroma samples are repeated first, and the mean of four is
    /// taken afterwards.
    private func reference(_ picture: PlanarPicture, _ plane: Int, _ deviation: Double) -> [Double] {
        let samples = picture.planes[plane].map(Double.init)
        if plane == 0 { return gaussian(samples, picture.size, deviation) }
        let (width, height) = (picture.width(plane), picture.height(plane))
        let large = (0..<(4 * width * height)).map { index -> Double in
            let (x, y) = (index % (2 * width), index / (2 * width))
            return samples[y / 2 * width + x / 2]
        }
        let soft = gaussian(large, FrameSize(width: 2 * width, height: 2 * height), deviation)
        return (0..<(width * height)).map { index -> Double in
            let corner = index / width * 4 * width + index % width * 2
            let upper = soft[corner] + soft[corner + 1]
            let lower = soft[corner + 2 * width] + soft[corner + 2 * width + 1]
            return (upper + lower) / 4
        }
    }

    /// One pass in each direction. Beyond the plane's edges the edge samples are repeated.
    private func gaussian(_ samples: [Double], _ size: FrameSize, _ deviation: Double) -> [Double] {
        let reach = Int((6 * deviation).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = weights.reduce(0, +)
        func pass(_ samples: [Double], _ count: Int, _ lines: Int, step: Int, line: Int) -> [Double] {
            var result = samples
            for number in 0..<lines {
                let row = (0..<count).map { samples[number * line + $0 * step] }
                let padded = [Double](repeating: row[0], count: reach) + row + [Double](repeating: row[count - 1], count: reach)
                padded.withUnsafeBufferPointer { padded in
                    for place in 0..<count {
                        var sum = 0.0
                        for index in 0..<weights.count { sum += weights[index] * padded[place + index] }
                        result[number * line + place * step] = sum / total
                    }
                }
            }
            return result
        }
        let across = pass(samples, size.width, size.height, step: 1, line: size.width)
        return pass(across, size.height, size.width, step: size.width, line: 1)
    }
}
