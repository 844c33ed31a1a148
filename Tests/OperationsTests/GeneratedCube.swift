import ExportPlan
import Operations
import TestSupport
import FoundationEssentials
import Glibc

/// A cube of colours that a test generates, as a file, and ffmpeg's result with it.
struct GeneratedCube {
    var points: Int
    /// The colours, red fastest.
    var colors: [SIMD3<Double>]
    var header = ""

    /// - Parameter color: maps red, green and blue in 0...1 to the table's colour.
    init(points: Int, header: String = "", _ color: (SIMD3<Double>) -> SIMD3<Double>) {
        self.points = points
        self.header = header
        colors = (0..<(points * points * points)).map { index in
            let place = SIMD3(Double(index % points), Double(index / points % points), Double(index / points / points))
            return color(place / Double(points - 1))
        }
    }

    /// A strong, smooth, random change of colours that partly leaves 0...1.
    static func wild(_ points: Int, seed: UInt64, header: String = "") -> GeneratedCube {
        var random = RandomNumbers(seed: seed)
        let waves = (0..<9).map { _ in SIMD4<Double>.random(in: -3...3, using: &random) }
        return GeneratedCube(points: points, header: header) { color in
            var result = color
            for channel in 0..<3 {
                for wave in waves[(channel * 3)..<(channel * 3 + 3)] {
                    result[channel] += 0.2 * sin(wave.x * color.x + wave.y * color.y + wave.z * color.z + wave.w)
                }
            }
            return result
        }
    }

    /// The cube as a `.cube` file.
    var text: String {
        "LUT_3D_SIZE \(points)\n\(header)" + colors.map { "\($0.x) \($0.y) \($0.z)\n" }.joined()
    }

    /// The cube as the pixels of a HaldCLUT. `points` has to be a square number.
    var hald: [UInt8] {
        colors.flatMap { color in (0..<3).map { UInt8((min(1, max(0, color[$0])) * 255).rounded()) } }
    }
}

extension PixelPicture {
    /// The result of ffmpeg's filters for this RGB picture.
    /// - Parameters:
    ///   - filter: a filter graph on `[0]`, and on `[1]` if there is a second picture.
    ///   - second: another RGB picture.
    func throughFFmpeg(_ filter: String, second: PixelPicture? = nil) async throws -> PixelPicture {
        let directory = try TemporaryDirectory()
        var arguments: [String] = []
        for (index, picture) in [self, second].compactMap({ $0 }).enumerated() {
            let file = directory.file("\(index).raw")
            try Data(picture.bytes).write(to: URL(fileURLWithPath: file))
            arguments += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(picture.size)", "-i", file]
        }
        let out = directory.file("out.raw")
        try await FFmpegTool.ffmpeg(
            arguments + ["-filter_complex", filter, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", out])
        return PixelPicture(size: size, channels: 3, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: out))))
    }

    /// The result of ffmpeg's `lut3d` for this picture, with a `.cube` file of this text.
    func throughFFmpeg(cube text: String) async throws -> PixelPicture {
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("t.cube")))
        return try await throughFFmpeg(
            "[0]format=rgb24,lut3d=file=\(directory.file("t.cube")):interp=tetrahedral,format=rgb24")
    }

    /// Prints a line about the difference of two pictures, and returns the largest difference.
    func report(_ name: String, against witness: PixelPicture) -> Int {
        let largest = largestDifference(from: witness)
        let unequal = zip(bytes, witness.bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
        print("lut beside ffmpeg: \(name): largest difference \(largest), \(unequal) of \(bytes.count) values differ")
        return largest
    }
}
