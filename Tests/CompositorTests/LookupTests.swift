import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Lookup tables as sources, compared with ffmpeg's chain from 4:2:0 to RGB, through `lut3d`, and back.
@Suite struct LookupTests {
    private static let size = FrameSize(width: 256, height: 192)
    /// The side of the flat squares in the picture. They are large because the test compares colours, not the
    /// interpolation of chroma.
    private static let side = 16

    /// Squares with colours from all over the range.
    private static let picture: PlanarPicture = {
        var random = RandomNumbers(seed: 11)
        var picture = PlanarPicture(size: size, y: 16, u: 128, v: 128)
        for top in stride(from: 0, to: size.height, by: side) {
            for left in stride(from: 0, to: size.width, by: side) {
                let color = RGBAColor(
                    red: UInt8.random(in: 0...255, using: &random), green: UInt8.random(in: 0...255, using: &random),
                    blue: UInt8.random(in: 0...255, using: &random), alpha: 255)
                picture.draw(
                    flatPicture(color, FrameSize(width: side, height: side)),
                    at: PixelRect(x: left, y: top, width: side, height: side)
                ) { Double($1) }
            }
        }
        return picture
    }()

    /// A strong grade.
    private static let cube: String =
        "LUT_3D_SIZE 17\n"
        + (0..<4913).map { index in
            let (r, g, b) = (Double(index % 17) / 16, Double(index / 17 % 17) / 16, Double(index / 289) / 16)
            return "\(0.8 * r * r + 0.2 * b) \(0.1 + 0.8 * g.squareRoot() * (1 - 0.3 * r)) \(1 - 0.9 * b + 0.1 * g - 0.2 * r)\n"
        }.joined()

    /// Probes a file and refers to it as a source.
    private func source(_ path: String) throws -> SourceReference {
        SourceReference(facts: try SourceProbe.facts(ofFile: path), path: path)
    }

    private func graded(_ table: SourceReference, _ parameters: [String: AnimatedValue] = [:]) async throws -> PlanarPicture {
        let directory = try TemporaryDirectory()
        let film = try await TestSource([LookupTests.picture], in: directory)
        let lut = Operation(name: "lut", parameters: parameters, source: table.facts.contentHash)
        let layer = Layer(
            content: .still(source: film.hash), placement: .whole(into: PixelRect(LookupTests.size)), operations: [lut])
        #expect(layer.sources == [film.hash, table.facts.contentHash])
        var sources = film.sources
        sources[table.facts.contentHash] = table
        return try composed([layer], canvas: LookupTests.size, sources)[0]
    }

    private func throughFFmpeg(_ table: String) async throws -> PlanarPicture {
        let directory = try TemporaryDirectory()
        let (input, output) = (directory.file("in.raw"), directory.file("out.raw"))
        try Data(LookupTests.picture.bytes).write(to: URL(fileURLWithPath: input))
        let flags = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"
        try await FFmpegTool.ffmpeg([
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(LookupTests.size)", "-i", input, "-vf",
            "scale=in_color_matrix=bt709:in_range=tv:\(flags),format=gbrp,lut3d=file=\(table):interp=tetrahedral,"
                + "scale=out_color_matrix=bt709:out_range=tv:\(flags),format=yuv420p", "-f", "rawvideo", output,
        ])
        return PlanarPicture(
            size: LookupTests.size, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: output))))
    }

    /// The largest difference in the middles of the squares, for each plane.
    private func differences(_ one: PlanarPicture, _ other: PlanarPicture) -> [Int] {
        (0..<3).map { plane in
            let step = plane == 0 ? LookupTests.side : LookupTests.side / 2
            var largest = 0
            for y in stride(from: step / 2, to: one.height(plane), by: step) {
                for x in stride(from: step / 2, to: one.width(plane), by: step) {
                    let place = y * one.width(plane) + x
                    largest = max(largest, abs(Int(one.planes[plane][place]) - Int(other.planes[plane][place])))
                }
            }
            return largest
        }
    }

    /// ffmpeg rounds to 8-bit RGB before and after the table; Spool rounds only at the end. A step of one in red, green
    /// and blue is at most one in luma.
    @Test("A cube on a film is within one code value of ffmpeg's conversions in every square")
    func cube() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("grade.cube")
        try Data(LookupTests.cube.utf8).write(to: URL(fileURLWithPath: path))
        let found = try await graded(try source(path))
        let witness = try await throughFFmpeg(path)
        let largest = differences(found, witness)
        print(
            "lut beside ffmpeg's chain: a cube of 17: largest differences \(largest), mean \(found.meanDifference(from: witness))"
        )
        #expect(largest.allSatisfy { $0 <= 1 })
        #expect(found.meanDifference(from: LookupTests.picture) > 10)
    }

    @Test("A HaldCLUT picture equals the cube that it was made from, within its 8-bit rounding")
    func hald() async throws {
        let directory = try TemporaryDirectory()
        let (path, picture) = (directory.file("grade.cube"), directory.file("grade.png"))
        try Data(LookupTests.cube.utf8).write(to: URL(fileURLWithPath: path))
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "haldclutsrc=6", "-vf", "format=rgb24,lut3d=file=\(path):interp=tetrahedral,format=rgb24",
            "-frames:v", "1", picture,
        ])
        let byCube = try await graded(try source(path))
        let byPicture = try await graded(try source(picture))
        let largest = differences(byCube, byPicture)
        print("lut: a HaldCLUT of level 6 beside the cube of 17: largest differences \(largest)")
        #expect(largest.allSatisfy { $0 <= 3 })
    }

    @Test("At intensity 0 nothing changes, and at 0.5 half of the change is applied")
    func intensity() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("negative.cube")
        try Data("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n".utf8).write(to: URL(fileURLWithPath: path))
        let table = try source(path)
        #expect(try await graded(table, ["intensity": .constant(0)]) == LookupTests.picture)
        // The mean of a colour and its negative is grey.
        let half = try await graded(table, ["intensity": .constant(0.5)])
        #expect(half.planes[0].allSatisfy { abs(Int($0) - 126) <= 1 })
        #expect((half.planes[1] + half.planes[2]).allSatisfy { abs(Int($0) - 128) <= 1 })
    }

    @Test("An adjustment layer puts everything below it through the table")
    func adjustment() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("negative.cube")
        try Data("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n".utf8).write(to: URL(fileURLWithPath: path))
        let table = try source(path)
        let color = RGBAColor(red: 200, green: 30, blue: 90, alpha: 255)
        let adjusted = try composed(
            [.solid(color), Layer(content: .adjustment, operations: [Operation(name: "lut", source: table.facts.contentHash)])],
            canvas: LookupTests.size, [table.facts.contentHash: table])[0]
        let wanted = flatPicture(RGBAColor(red: 55, green: 225, blue: 165, alpha: 255), LookupTests.size)
        #expect(adjusted.largestDifference(from: wanted) <= 1)
    }
}
