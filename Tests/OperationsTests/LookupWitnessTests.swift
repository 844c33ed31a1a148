import ExportPlan
import Operations
import TestSupport
import Testing
import FoundationEssentials

/// Lookup tables compared with ffmpeg's `lut3d`, `lut1d` and `haldclut` on every pixel of a picture with all kinds of
/// colours. ffmpeg truncates where Spool rounds, so values may differ by one.
@Suite struct LookupWitnessTests {
    private let picture = PixelPicture.colorful(FrameSize(width: 512, height: 384))

    private func applying(_ table: LookupTable) throws -> PixelPicture {
        try picture.applying([.constant("lut", source: "t")], tables: ["t": table])
    }

    @Test("Cubes of every size are within one code value of ffmpeg's lut3d", arguments: [2, 3, 17, 33, 65])
    func cubes(_ points: Int) async throws {
        for (name, cube) in [
            ("identity", GeneratedCube(points: points) { $0 }), ("wild", .wild(points, seed: UInt64(points))),
            ("negative", GeneratedCube(points: points) { 1 - $0 }),
        ] {
            let found = try applying(CubeFile.table(from: cube.text.utf8, subject: name))
            let witness = try await picture.throughFFmpeg(cube: cube.text)
            #expect(found.report("\(name) \(points)", against: witness) <= 1)
        }
    }

    @Test("An identity cube leaves every colour unchanged")
    func identity() throws {
        for points in [2, 17, 33] {
            let cube = GeneratedCube(points: points) { $0 }
            #expect(try applying(CubeFile.table(from: cube.text.utf8, subject: "identity")) == picture)
        }
    }

    @Test("A domain beyond 0...1 is within one code value of ffmpeg's lut3d")
    func domain() async throws {
        let header = "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 2 4 1.5\n"
        let cube = GeneratedCube.wild(17, seed: 40, header: header)
        let found = try applying(CubeFile.table(from: cube.text.utf8, subject: "domain"))
        #expect(found.report("domain 0...2, 0...4, 0...1.5", against: try await picture.throughFFmpeg(cube: cube.text)) <= 1)
    }

    @Test("One-dimensional tables are within one code value of ffmpeg's lut1d", arguments: [2, 256, 4096])
    func curves(_ points: Int) async throws {
        let values = (0..<points).map { Double($0) / Double(points - 1) }
        let text = "LUT_1D_SIZE \(points)\n" + values.map { "\($0 * $0) \(1 - $0) \($0.squareRoot())\n" }.joined()
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("t.cube")))
        let witness = try await picture.throughFFmpeg(
            "[0]format=rgb24,lut1d=file=\(directory.file("t.cube")):interp=linear,format=rgb24")
        let found = try applying(CubeFile.table(from: text.utf8, subject: "curves"))
        #expect(found.report("curves \(points)", against: witness) <= 1)
    }

    @Test("HaldCLUT pictures are within one code value of ffmpeg's haldclut", arguments: [2, 4, 5, 8])
    func hald(_ level: Int) async throws {
        let cube = GeneratedCube.wild(level * level, seed: UInt64(90 + level))
        let side = level * level * level
        let hald = PixelPicture(size: FrameSize(width: side, height: side), channels: 3, bytes: cube.hald)
        let witness = try await picture.throughFFmpeg(
            "[0]format=rgb24[a];[1]format=rgb24[b];[a][b]haldclut=interp=tetrahedral,format=rgb24", second: hald)
        let found = try applying(LookupImage.table(width: side, height: side, pixels: hald.bytes, subject: "hald"))
        #expect(found.report("HaldCLUT level \(level)", against: witness) <= 1)
    }

    @Test("The two layouts of a 512x512 picture are told apart by their colours", arguments: [1, 2, 3])
    func arrangements(_ seed: UInt64) throws {
        let hald = GeneratedCube.wild(64, seed: seed).hald
        var tiles = hald
        for index in 0..<(64 * 64 * 64) {
            let (red, green, blue) = (index % 64, index / 64 % 64, index / 4096)
            let place = (blue / 8 * 64 + green) * 512 + blue % 8 * 64 + red
            for channel in 0..<3 { tiles[place * 3 + channel] = hald[index * 3 + channel] }
        }
        let tables = try [hald, tiles].map { try LookupImage.table(width: 512, height: 512, pixels: $0, subject: "a.png") }
        #expect(tables[0] == tables[1] && hald != tiles)
    }

    @Test("A picture of another shape is refused as a lookup table")
    func shapes() {
        for (width, height) in [(512, 256), (100, 100), (1, 1)] {
            let pixels = [UInt8](repeating: 0, count: width * height * 3)
            #expect(throws: OperationError.self) {
                try LookupImage.table(width: width, height: height, pixels: pixels, subject: "a.png")
            }
        }
    }
}

/// Tables from real applications.
@Suite(.enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence))) struct SharedLookupTests {
    private let picture = PixelPicture.colorful(FrameSize(width: 512, height: 384))

    @Test("A cube by Resolve is within one code value of ffmpeg's lut3d")
    func resolve() async throws {
        let file = SharedMedia.file("lut/resolve_17.cube")
        let table = try CubeFile.table(from: try Data(contentsOf: URL(fileURLWithPath: file)), subject: file)
        let found = try picture.applying([.constant("lut", source: "t")], tables: ["t": table])
        let witness = try await picture.throughFFmpeg("[0]format=rgb24,lut3d=file=\(file):interp=tetrahedral,format=rgb24")
        #expect(found.report("resolve_17.cube", against: witness) <= 1)
    }

    @Test(
        "A lookup image of a photo app is recognised, and within one code value of ffmpeg's lut3d",
        arguments: ["lookup_identity_512", "lookup_amatorka_512", "videolab_LUT_M01"])
    func lookupImages(_ name: String) async throws {
        let pixels = try await RawVideo.decode(
            SharedMedia.file("lut/\(name).png"), pixelFormat: "rgb24", bytesPerFrame: 512 * 512 * 3)[0]
        let cube = GeneratedCube(points: 64) { color in
            let place = SIMD3<Int>(Int((color.x * 63).rounded()), Int((color.y * 63).rounded()), Int((color.z * 63).rounded()))
            let pixel = (place.z / 8 * 64 + place.y) * 512 + place.z % 8 * 64 + place.x
            return SIMD3(Double(pixels[pixel * 3]), Double(pixels[pixel * 3 + 1]), Double(pixels[pixel * 3 + 2])) / 255
        }
        let table = try LookupImage.table(width: 512, height: 512, pixels: pixels, subject: name)
        let found = try picture.applying([.constant("lut", source: "t")], tables: ["t": table])
        #expect(found.report(name, against: try await picture.throughFFmpeg(cube: cube.text)) <= 1)
    }
}
