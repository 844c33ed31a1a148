import ExportPlan
import Operations
import TestSupport
import Testing

/// Skin is smoothed. Its edges, and everything that is not skin, stay.
@Suite struct BeautifyTests {
    private let size = FrameSize(width: 240, height: 180)

    /// A flat colour with a texture of a few code values, half as bright right of the middle.
    private func textured(_ color: SIMD3<Double>, texture: Int) -> PixelPicture {
        var random = RandomNumbers(seed: 90)
        var picture = PixelPicture(size: size, channels: 3, bytes: [])
        for _ in 0..<size.height {
            for x in 0..<size.width {
                let noise = Double(Int.random(in: -texture...texture, using: &random))
                let light = x < 120 ? 1.0 : 0.5
                picture.bytes += (0..<3).map { UInt8(min(255, max(0, color[$0] * light + noise)).rounded()) }
            }
        }
        return picture
    }

    /// The mean and standard deviation of green in a rectangle.
    private func spread(_ picture: PixelPicture, columns: Range<Int>) -> (mean: Double, deviation: Double) {
        var values: [Double] = []
        for y in 40..<140 { for x in columns { values.append(Double(picture.bytes[(y * size.width + x) * 3 + 1])) } }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)
        return (mean, variance.squareRoot())
    }

    @Test("Skin loses texture in proportion to the level, and keeps its brightness and the sharpness of edges")
    func skin() throws {
        let skin = textured(SIMD3(224, 172, 140), texture: 6)
        let before = spread(skin, columns: 20..<100)
        var last = before.deviation
        for level in [25.0, 50, 100] {
            let found = try skin.applying([.constant("beautify", ["level": level])])
            let after = spread(found, columns: 20..<100)
            #expect(after.deviation < last * 0.87 && abs(after.mean - before.mean) < 0.5, "\(level)")
            last = after.deviation
            func step(_ picture: PixelPicture) -> Double {
                spread(picture, columns: 118..<120).mean - spread(picture, columns: 120..<122).mean
            }
            #expect(step(found) > step(skin) * 0.9, "\(level)")
        }
        #expect(last < before.deviation * 0.3)
    }

    @Test("Colours other than skin keep every bit", arguments: [[60, 90, 200], [40, 160, 60], [128, 128, 128]])
    func other(_ color: [Double]) throws {
        let picture = textured(SIMD3(color[0], color[1], color[2]), texture: 6)
        #expect(try picture.applying([.constant("beautify", ["level": 100])]) == picture)
    }

    @Test("The change equals that of the guided filter, computed pixel by pixel")
    func formula() throws {
        let skin = textured(SIMD3(224, 172, 140), texture: 20)
        let found = try skin.applying([.constant("beautify", ["level": 80])])
        let radius = 2  // round(0.012 * 180)
        func luma(_ x: Int, _ y: Int) -> Double { (skin[x, y] * SIMD3(0.2126, 0.7152, 0.0722)).sum() }
        func around(_ x: Int, _ y: Int) -> [(Int, Int)] {
            var places: [(Int, Int)] = []
            for row in (y - radius)...(y + radius) { for column in (x - radius)...(x + radius) { places.append((column, row)) } }
            return places
        }
        func line(_ x: Int, _ y: Int) -> (a: Double, b: Double) {
            let values = around(x, y).map { luma($0.0, $0.1) }
            let mean = values.reduce(0, +) / 25
            let variance = values.map { $0 * $0 }.reduce(0, +) / 25 - mean * mean
            let a = variance / (variance + 0.0025)
            return (a, mean * (1 - a))
        }
        func window(_ value: Double, _ low: Double, _ high: Double) -> Double {
            func ramp(_ t: Double) -> Double {
                let t = min(1, max(0, t))
                return t * t * (3 - 2 * t)
            }
            return ramp((value - low + 5) / 5) * (1 - ramp((value - high) / 5))
        }
        for y in stride(from: 20, to: 160, by: 7) {
            for x in stride(from: 10, to: 230, by: 11) {
                let lines = around(x, y).map { line($0.0, $0.1) }
                let (slope, offset) = (lines.map(\.a).reduce(0, +) / 25, lines.map(\.b).reduce(0, +) / 25)
                let q = slope * luma(x, y) + offset
                let color = skin[x, y]
                let cb = 128 + (color * SIMD3(-37.797, -74.203, 112)).sum()
                let cr = 128 + (color * SIMD3(112, -93.786, -18.214)).sum()
                let share = 0.8 * window(cb, 77, 127) * window(cr, 133, 173)
                let difference = found[x, y] - (color + (q - luma(x, y)) * share)
                #expect(max(difference.max(), -difference.min()) * 255 <= 1, "\(x) \(y)")
            }
        }
    }
}
