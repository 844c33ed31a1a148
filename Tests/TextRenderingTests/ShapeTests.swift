import ExportPlan
import TextRendering
import Testing

/// Compares shapes with their formulas.
@Suite struct ShapeTests {
    private func area(_ outline: ShapeContent.Outline) throws -> Double {
        Ink(try ShapePainter.draw(ShapeContent(outline: outline, fill: .white))).area
    }

    private func expect(_ outline: ShapeContent.Outline, hasArea wanted: Double) throws {
        let found = try area(outline)
        #expect(abs(found / wanted - 1) < 0.005, "\(outline): \(found) instead of \(wanted)")
    }

    @Test("Rectangles, round corners and ellipses have the right area")
    func areas() throws {
        try expect(.rect(width: 120, height: 80, cornerRadius: 0), hasArea: 9600)
        try expect(.rect(width: 50.5, height: 20.25, cornerRadius: 0), hasArea: 50.5 * 20.25)
        try expect(.rect(width: 120, height: 80, cornerRadius: 20), hasArea: 9600 - (4 - .pi) * 400)
        try expect(.rect(width: 120, height: 80, cornerRadius: 500), hasArea: 9600 - (4 - .pi) * 1600)
        try expect(.ellipse(width: 200, height: 90), hasArea: .pi * 100 * 45)
        try expect(.path(data: "M0 0 H100 V50 Z", width: 100, height: 50), hasArea: 2500)
        try expect(.path(data: "M0 50 A50 50 0 1 1 100 50 A50 50 0 1 1 0 50 Z", width: 100, height: 100), hasArea: .pi * 2500)
    }

    @Test("A stroke lies half inside and half outside its outline, on top of the fill")
    func stroke() async throws {
        let picture = try ShapePainter.draw(
            ShapeContent(
                outline: .rect(width: 100, height: 60, cornerRadius: 0), fill: .red, stroke: Stroke(color: .blue, width: 10)))
        #expect(picture.boxSize == FrameSize(width: 100, height: 60))
        let ink = Ink(picture)
        #expect(ink.columns == -5...104 && ink.rows == -5...64)
        #expect(picture.color(fromBox: 4, 30) == [0, 0, 255, 255])
        #expect(picture.color(fromBox: 5, 30) == [255, 0, 0, 255])
        #expect(picture.alpha(0, 0) < 100)
        let ring = try ShapePainter.draw(
            ShapeContent(outline: .ellipse(width: 200, height: 100), stroke: Stroke(color: .white, width: 6)))
        #expect(Ink(ring).columns == -3...202 && Ink(ring).rows == -3...102)
        let star = try ShapePainter.draw(
            ShapeContent(
                outline: .path(
                    data: "M100 10 l25 60 65 5 -50 43 16 64 -56-35 -56 35 16-64 -50-43 65-5z", width: 200, height: 200),
                fill: .red, stroke: Stroke(color: .white, width: 8)))
        try await Drawing.show(star, as: "star")
        try await Drawing.show(ring, as: "ring")
        try await Drawing.show(picture, as: "rect")
    }

    @Test("Parts outside of a path's box are drawn, and the origin locates the box")
    func sticking() throws {
        let picture = try ShapePainter.draw(
            ShapeContent(outline: .path(data: "M-20-10h40v40h-40z", width: 10, height: 10), fill: .white))
        #expect(picture.origin == .init(x: 20, y: 10))
        #expect(Ink(picture).area == 1600)
    }

    @Test("A shape of more pixels than a picture may have is refused, although its sides are short enough")
    func tooManyPixels() throws {
        let square = ShapeContent(outline: .rect(width: 16_000, height: 16_000, cornerRadius: 0), fill: .white)
        let error = try #require(throws: TextRenderingError.self) { try ShapePainter.draw(square) }
        #expect(error.code == .overLimit && error.subject == "16000x16000")
        #expect(error.message == "is too large to draw: 250000000 pixels are the most; make it smaller")
    }

    @Test("Colours are premultiplied by their alpha")
    func premultiplied() throws {
        let color = RGBAColor(red: 200, green: 100, blue: 0, alpha: 51)
        let picture = try ShapePainter.draw(
            ShapeContent(outline: .rect(width: 4, height: 4, cornerRadius: 0), fill: color))
        #expect(picture.color(fromBox: 1, 1) == [40, 20, 0, 51])
    }

    @Test("A shape without extent is a transparent picture, and invalid shapes are input errors")
    func faults() throws {
        #expect(Ink(try ShapePainter.draw(ShapeContent(outline: .ellipse(width: 0, height: 0), fill: .red))).area == 0)
        let path = #expect(throws: TextRenderingError.self) {
            try ShapePainter.draw(ShapeContent(outline: .path(data: "M0 0 L5", width: 9, height: 9), fill: .red))
        }
        #expect(path?.code == .invalidPath && path?.description.contains("byte 7") == true)
        for (width, height) in [(1e9, 5.0), (16_384, 16_384)] {
            let large = #expect(throws: TextRenderingError.self) {
                try ShapePainter.draw(
                    ShapeContent(outline: .rect(width: width, height: height, cornerRadius: 0), fill: .red))
            }
            #expect(large?.code == .overLimit && large?.failureClass == .input)
        }
    }
}
