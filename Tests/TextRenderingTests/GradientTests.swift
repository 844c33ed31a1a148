import ExportPlan
import TestSupport
import TextRendering
import Testing
import Vocabulary
import FoundationEssentials

/// Gradients compared with librsvg, and with their formulas in double precision.
@Suite struct GradientTests {
    private static let size = FrameSize(width: 120, height: 70)
    private static let stops = [
        Gradient.Stop(color: .red, location: 0.1), Gradient.Stop(color: .white, location: 0.4),
        Gradient.Stop(color: .blue, location: 0.9),
    ]

    private func draw(_ gradient: Gradient, _ outline: ShapeContent.Outline? = nil) throws -> DrawnPicture {
        let whole = ShapeContent.Outline.rect(
            width: Double(Self.size.width), height: Double(Self.size.height), cornerRadius: 0)
        return try ShapePainter.draw(ShapeContent(outline: outline ?? whole, gradient: gradient))
    }

    /// The pixels that librsvg draws of an SVG document, as RGBA rows.
    private func librsvg(_ gradient: String) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let names: [RGBAColor: String] = [.red: "#ff0000", .white: "#ffffff", .blue: "#0000ff"]
        let stops = Self.stops.map { stop in
            "<stop offset='\(stop.location)' stop-color='\(names[stop.color] ?? "")'/>"
        }.joined()
        let (width, height) = (Self.size.width, Self.size.height)
        let parts = gradient.split(separator: " ", maxSplits: 1)
        try Data(
            """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>
            <\(parts[0]) id='g' gradientUnits='userSpaceOnUse' \(parts[1])>\(stops)</\(parts[0])>
            <rect width='\(width)' height='\(height)' fill='url(#g)'/></svg>
            """.utf8
        ).write(to: URL(fileURLWithPath: directory.file("g.svg")))
        let outcome = try await ShellTool.run("rsvg-convert '\(directory.file("g.svg"))' -o '\(directory.file("g.png"))'")
        try #require(outcome.status == 0, "\(outcome.errors)")
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("g.png"), "-f", "rawvideo", "-pix_fmt", "rgba", directory.file("g.raw"),
        ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.file("g.raw"))))
    }

    private func greatestDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
        first.count == second.count ? zip(first, second).map { abs(Int($0) - Int($1)) }.max() ?? 0 : .max
    }

    @Test("Linear and radial gradients equal librsvg's within two code values")
    func librsvg() async throws {
        let linear = Gradient(.linear, Self.stops, from: .init(x: 0.1, y: 0.2), to: .init(x: 0.8, y: 0.9))
        let line = "linearGradient x1='12' y1='14' x2='96' y2='63'"
        #expect(greatestDifference(try draw(linear).pixels, try await librsvg(line)) <= 2)
        let ellipse = Gradient(.radial, Self.stops, from: .init(x: 0.4, y: 0.5), to: .init(x: 0.9, y: 0.9))
        // An ellipse with the radii 60 and 28 around (48, 35).
        let circle = "radialGradient cx='0' cy='0' r='1' gradientTransform='translate(48 35) scale(60 28)'"
        #expect(greatestDifference(try draw(ellipse).pixels, try await librsvg(circle)) <= 2)
    }

    @Test("An angular gradient runs clockwise from its direction, whatever the shape of the box")
    func angular() throws {
        let stops = [
            Gradient.Stop(color: .red, location: 0), Gradient.Stop(color: .blue, location: 0.5),
            Gradient.Stop(color: .red, location: 1),
        ]
        let picture = try draw(Gradient(.angular, stops, from: .init(x: 0.5, y: 0.5), to: .init(x: 1, y: 0.5)))
        var worst = 0.0
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let (right, down) = (Double(x) + 0.5 - 60, Double(y) + 0.5 - 35)
                guard right * right + down * down > 9 else { continue }
                // The angle from the direction to the right, by its cosine: 0 in that direction, pi opposite.
                let angle = Angle.arc(cosine: right / (right * right + down * down).squareRoot())
                let color = picture.color(fromBox: x, y)
                worst = max(worst, abs(Double(color[2]) - 255 * angle / .pi), abs(Double(color[0]) - 255 * (1 - angle / .pi)))
            }
        }
        #expect(worst <= 1, "\(worst)")
        let quarters = [RGBAColor.red, .white, .blue, .black].enumerated().flatMap { index, color in
            [Gradient.Stop(color: color, location: Double(index) / 4), .init(color: color, location: Double(index + 1) / 4)]
        }
        let pie = try draw(Gradient(.angular, quarters, from: .init(x: 0.5, y: 0.5), to: .init(x: 0.5, y: 0)))
        let found = [(90, 20), (90, 50), (30, 50), (30, 20)].map { Array(pie.color(fromBox: $0, $1).prefix(3)) }
        #expect(found == [[255, 0, 0], [255, 255, 255], [0, 0, 255], [0, 0, 0]])
    }

    @Test("Transparent stops do not darken, and colours that border on each other are smooth between pixels")
    func transparency() throws {
        let fading = [
            Gradient.Stop(color: .white, location: 0), .init(color: .init(red: 0, green: 0, blue: 0, alpha: 0), location: 1),
        ]
        let faded = try draw(Gradient(.linear, fading, from: .init(x: 0, y: 0), to: .init(x: 1, y: 0)))
        for x in 0..<Self.size.width {
            let color = faded.color(fromBox: x, 30)
            let wanted = 255 * (1 - (Double(x) + 0.5) / 120)
            #expect(color.allSatisfy { abs(Double($0) - wanted) <= 0.51 }, "\(color) at \(x)")
        }
        let sudden = [Gradient.Stop(color: .red, location: 0.5), .init(color: .blue, location: 0.5)]
        let halves = try draw(Gradient(.linear, sudden, from: .init(x: 0, y: 0), to: .init(x: 1 + 1.0 / 120, y: 0)))
        #expect(halves.color(fromBox: 59, 3) == [255, 0, 0, 255] && halves.color(fromBox: 61, 3) == [0, 0, 255, 255])
        #expect(halves.color(fromBox: 60, 3).enumerated().allSatisfy { abs(Int($1) - [128, 0, 128, 255][$0]) <= 1 })
    }

    @Test("A gradient keeps the coverage of a shape and of letters, and emoji keep their colours")
    func letters() async throws {
        let gradient = Gradient(
            .linear, [.init(color: .red, location: 0), .init(color: .blue, location: 1)], from: .init(x: 0, y: 0.5),
            to: .init(x: 1, y: 0.5))
        let ring = ShapeContent.Outline.ellipse(width: 100.5, height: 60.25)
        let plain = try ShapePainter.draw(ShapeContent(outline: ring, fill: .white))
        let filled = try draw(gradient, ring)
        #expect(Ink(plain).area == Ink(filled).area)
        for half in [false, true] {
            var text = TextContent(text: "Ab\u{1F388}c", font: "DejaVu Sans Bold 60", color: .red)
            let flat = try Drawing.text(text)
            text.gradient = gradient
            if half { text.gradient?.stops[0].color.alpha = 128; text.gradient?.stops[1].color.alpha = 128 }
            let drawn = try Drawing.text(text)
            #expect(drawn.origin == flat.origin && drawn.width == flat.width && drawn.height == flat.height)
            if !half { #expect(stride(from: 3, to: flat.pixels.count, by: 4).allSatisfy { flat.pixels[$0] == drawn.pixels[$0] }) }
            // The left letter is red and the right one blue, as far as each is covered.
            let width = drawn.boxSize.width
            func strongest(_ channel: Int, _ columns: Range<Int>) -> UInt8 {
                columns.flatMap { x in (0..<drawn.boxSize.height).map { drawn.color(fromBox: x, $0)[channel] } }.max() ?? 0
            }
            let least: UInt8 = half ? 100 : 200
            #expect(strongest(0, 0..<width / 8) > least && strongest(2, 0..<width / 8) < 60)
            #expect(strongest(2, (width * 7 / 8)..<width) > least && strongest(0, (width * 7 / 8)..<width) < 60)
            // The balloon.
            #expect(strongest(0, (width / 2)..<(width * 3 / 4)) > 200)
            try await Drawing.show(drawn, as: "gradient-\(half)")
        }
    }
}

private enum Angle {
    /// The angle in radians of a cosine, by bisection of its series, so that it shares nothing with the code.
    static func arc(cosine: Double) -> Double {
        var (low, high) = (0.0, Double.pi)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            var (sum, term) = (1.0, 1.0)
            for index in 1...20 {
                term *= -middle * middle / Double((2 * index - 1) * (2 * index))
                sum += term
            }
            if sum > cosine { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
