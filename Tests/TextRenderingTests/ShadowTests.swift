import ExportPlan
import TextRendering
import Testing
import Glibc

/// Tests of text shadows.
@Suite struct ShadowTests {
    @Test("A shadow has as much alpha as the letters, for any blur", arguments: [0.0, 0.5, 2, 6, 15])
    func sum(_ blur: Double) async throws {
        var content = TextContent(text: "Shade", font: "DejaVu Sans Bold 80", color: .white)
        let letters = Ink(try Drawing.text(content)).area
        content.shadow = .init(color: .red, x: 700, y: 300, blur: blur)
        let picture = try Drawing.text(content)
        let area = Ink(picture).area - letters
        #expect(abs(area / letters - 1) < 0.01)
        content.shadow = .init(color: .black, x: 8, y: 8, blur: blur)
        try await Drawing.show(try Drawing.text(content), as: "shadow-\(Int(blur))")
    }

    @Test("Across a straight edge a shadow is the Gaussian of the edge", arguments: [1.0, 4, 7.5])
    func gaussian(_ blur: Double) throws {
        // A full block is a rectangle of 123 by 170 pixels, so its far edges do not affect the middle row.
        var content = TextContent(text: "\u{2588}", font: "DejaVu Sans 160", color: .white)
        let plain = try Drawing.text(content)
        content.shadow = .init(color: .red, x: 0, y: 400, blur: blur)
        let picture = try Drawing.text(content)
        let row = plain.boxSize.height / 2
        let weights = (-40...40).map { exp(-Double($0 * $0) / (2 * blur * blur)) }
        let total = weights.reduce(0, +)
        var worst = 0.0
        for x in -30..<plain.boxSize.width + 30 {
            var wanted = 0.0
            for (index, weight) in weights.enumerated() {
                wanted += weight / total * Double(plain.color(fromBox: x + index - 40, row)[3])
            }
            worst = max(worst, abs(wanted - Double(picture.color(fromBox: x, row + 400)[3])))
        }
        #expect(worst <= 1)
    }

    @Test("A shadow has its colour, alpha and position, and strokes have a shadow, too")
    func place() throws {
        var content = TextContent(text: "\u{2588}", font: "DejaVu Sans 100", color: .white)
        content.stroke = Stroke(color: .blue, width: 8)
        let letters = try Drawing.text(content)
        content.shadow = .init(color: RGBAColor(red: 255, green: 0, blue: 0, alpha: 102), x: -300, y: 20, blur: 0)
        let picture = try Drawing.text(content)
        #expect(picture.boxSize == letters.boxSize)
        for y in -8..<letters.boxSize.height + 8 {
            for x in -8..<letters.boxSize.width + 8 {
                let alpha = (Int(letters.color(fromBox: x, y)[3]) * 102 + 127) / 255
                #expect(picture.color(fromBox: x - 300, y + 20) == [UInt8(alpha), 0, 0, UInt8(alpha)])
            }
        }
    }
}
