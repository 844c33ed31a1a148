import ExportPlan
import TestSupport
import TextRendering
import Testing
import FoundationEssentials

/// Outlines that are drawn in part, compared with librsvg's dashes, and paths that turn into others.
@Suite struct TrimTests {
    private static let size = FrameSize(width: 200, height: 120)

    /// The alpha of a shape in a picture of the size above.
    private func alpha(_ shape: ShapeContent) throws -> [UInt8] {
        let picture = try ShapePainter.draw(shape)
        return (0..<Self.size.height).flatMap { y in (0..<Self.size.width).map { picture.color(fromBox: $0, y)[3] } }
    }

    private func shape(_ path: String, _ trim: Trim? = nil, width: Double = 6) -> ShapeContent {
        ShapeContent(
            outline: .path(data: path, width: Double(Self.size.width), height: Double(Self.size.height)),
            stroke: Stroke(color: .white, width: width, trim: trim))
    }

    private func librsvg(_ path: String, _ more: String) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try Data(
            """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(Self.size.width)' height='\(Self.size.height)'>
            <path d='\(path)' fill='none' stroke='white' stroke-width='6' stroke-linecap='round' stroke-linejoin='round' \(more)/></svg>
            """.utf8
        ).write(to: URL(fileURLWithPath: directory.file("p.svg")))
        let outcome = try await ShellTool.run("rsvg-convert '\(directory.file("p.svg"))' -o '\(directory.file("p.png"))'")
        try #require(outcome.status == 0, "\(outcome.errors)")
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("p.png"), "-vf", "alphaextract", "-f", "rawvideo", "-pix_fmt", "gray", directory.file("p.raw"),
        ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.file("p.raw"))))
    }

    private func area(_ alpha: [UInt8]) -> Double { alpha.reduce(0) { $0 + Double($1) / 255 } }

    @Test(
        "A part of an outline is what librsvg draws as a dash of that length",
        arguments: [
            "M20 20H180V100H20", "M20 60C20 -20 100 140 180 60", "M40 30L160 30L100 100Z",
        ], [(0.0, 0.4), (0.25, 0.7), (0.1, 0.95)])
    func dash(_ path: String, _ range: (start: Double, end: Double)) async throws {
        let drawn = try alpha(shape(path, Trim(start: range.start, end: range.end)))
        // librsvg measures dashes in pixels.
        let length = try Self.length(path)
        let dash = "stroke-dasharray='\((range.end - range.start) * length) \(2 * length)'"
        let witness = try await librsvg(path, "\(dash) stroke-dashoffset='\(-range.start * length)'")
        let difference = zip(drawn, witness).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) / 255 }
        #expect(difference / area(witness) < 0.01, "\(difference) of \(area(witness))")
    }

    /// The length of a path, of curves by many short chords.
    private static func length(_ data: String) throws -> Double {
        var (length, place, first) = (0.0, VectorPath.Point(x: 0, y: 0), VectorPath.Point(x: 0, y: 0))
        func distance(_ a: VectorPath.Point, _ b: VectorPath.Point) -> Double {
            ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
        }
        for element in try VectorPath(svg: data).elements {
            switch element {
            case .move(let to): (place, first) = (to, to)
            case .line(let to):
                length += distance(place, to)
                place = to
            case .close: length += distance(place, first)
            case .curve(let a, let b, let to):
                var before = place
                for step in 1...4000 {
                    let t = Double(step) / 4000
                    func mix(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Double {
                        let u = 1 - t
                        return u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s
                    }
                    let point = VectorPath.Point(x: mix(place.x, a.x, b.x, to.x), y: mix(place.y, a.y, b.y, to.y))
                    length += distance(before, point)
                    before = point
                }
                place = to
            }
        }
        return length
    }

    @Test("Parts of several outlines follow each other, and an offset goes on at the beginning")
    func parts() throws {
        let two = "M20 30H120M20 90H120"
        let first = try alpha(shape("M20 30H120"))
        #expect(try alpha(shape(two, Trim(end: 0.5))) == first)
        #expect(try alpha(shape(two, Trim(start: 0.25, end: 0.75, offset: 0.75))) == first)
        #expect(try alpha(shape(two, Trim(start: 0, end: 0.5, offset: -3))) == first)
        #expect(try alpha(shape(two, Trim(start: 0.5, end: 1))) == alpha(shape("M20 90H120")))
        #expect(try alpha(shape(two, Trim(start: 0.25, end: 0.75))) == alpha(shape("M70 30H120M20 90H70")))
        // Over the seam of a closed outline there is no gap.
        let ring = "M60 20H140V100H60Z"
        let seam = try alpha(shape(ring, Trim(start: 0.9, end: 1, offset: 0.05)))
        #expect(seam == (try alpha(shape("M60 36V20H76"))))
        for nothing in [Trim(start: 0.5, end: 0.5), Trim(start: 0.7, end: 0.2), Trim(start: 1, end: 1)] {
            #expect(area(try alpha(shape(ring, nothing))) == 0)
        }
        for whole in [Trim(), Trim(start: -1, end: 2), Trim(offset: 0.37)] {
            #expect(try alpha(shape(ring, whole)) == alpha(shape(ring)))
        }
        #expect(area(try alpha(shape("M50 50", Trim(end: 0.5)))) == 0)
    }

    @Test("A part of an outline has the picture's place and size of the whole, and leaves the fill")
    func place() throws {
        var whole = shape("M20 20H180V100H20Z")
        whole.fill = .red
        var part = whole
        part.stroke?.trim = Trim(start: 0.1, end: 0.2)
        let (a, b) = (try ShapePainter.draw(whole), try ShapePainter.draw(part))
        #expect(a.origin == b.origin && a.width == b.width && a.height == b.height)
        #expect(b.color(fromBox: 100, 60) == [255, 0, 0, 255] && b.color(fromBox: 90, 20) == [255, 255, 255, 255])
        #expect(b.color(fromBox: 100, 98) == [255, 0, 0, 255])
    }

    @Test("A path turns into others by straight ways of its points, lines into curves, too")
    func morphing() throws {
        var turning = shape("M20 20H120V100Z")
        turning.fill = .red
        turning.stroke = nil
        turning.morph = .init(["M40 20H140V60Z", "M40 20C60 60 120 10 140 20V60Z"], place: 0)
        func drawn(_ place: Double) throws -> [UInt8] {
            turning.morph?.place = place
            return try alpha(turning)
        }
        func plain(_ path: String) throws -> [UInt8] {
            var content = shape(path)
            (content.fill, content.stroke) = (.red, nil)
            return try alpha(content)
        }
        #expect(try drawn(0) == plain("M20 20H120V100Z"))
        #expect(try drawn(0.5) == plain("M30 20H130V80Z"))
        #expect(try drawn(1) == plain("M40 20H140V60Z"))
        #expect(try drawn(2) == plain("M40 20C60 60 120 10 140 20V60Z"))
        // A line from (40, 20) to (140, 20) is a curve with control points on it, a third and two thirds of the way.
        #expect(try drawn(1.5) == plain("M40 20C\((40 + 100.0 / 3 + 60) / 2) 40 \((40 + 200.0 / 3 + 120) / 2) 15 140 20V60Z"))
        #expect(try drawn(9) == drawn(2))
        turning.morph?.paths = ["M0 0H9"]
        let other = #expect(throws: TextRenderingError.self) { try drawn(0.5) }
        #expect(other?.message == "has other segments than the path before it")
    }
}
