import ExactTime
import ExportPlan
import Operations
import TestSupport
import Testing
import Glibc

/// Each pixel-wise operation compared with its definition in double precision.
@Suite struct FormulaTests {
    private typealias Color = SIMD3<Double>

    private func compare(
        _ name: String, _ values: [String: Double], frame: Int = 0, _ formula: (Int, Int, Color) -> Color
    ) throws {
        let picture = PixelPicture.colorful()
        let found = try picture.applying([.constant(name, values)], frame: frame)
        #expect(found.largestDifference(from: picture.mapped(formula)) <= 1, "\(name) \(values)")
    }

    private func compare(_ name: String, _ parameter: String, _ values: [Double], _ formula: (Color, Double) -> Color) throws {
        for value in values { try compare(name, [parameter: value]) { _, _, color in formula(color, value) } }
    }

    private func times(_ color: Color, _ rows: [Color]) -> Color {
        Color((color * rows[0]).sum(), (color * rows[1]).sum(), (color * rows[2]).sum())
    }

    private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(high, max(low, value)) }

    private func each(_ color: Color, _ body: (Double) -> Double) -> Color { Color(body(color.x), body(color.y), body(color.z)) }

    private func smoothstep(_ start: Double, _ end: Double, _ value: Double) -> Double {
        let t = clamp((value - start) / (end - start), 0, 1)
        return t * t * (3 - 2 * t)
    }

    @Test("Brightness, contrast, exposure, gamma and inversion follow GPUImage and the W3C")
    func channels() throws {
        try compare("brightness", "amount", [-1, -0.3, 0.25, 1]) { $0 + $1 }
        try compare("contrast", "amount", [0, 0.5, 1.7, 4]) { ($0 - 0.5) * $1 + 0.5 }
        try compare("exposure", "stops", [-10, -0.7, 1.3, 10]) { $0 * pow(2, $1) }
        try compare("gamma", "amount", [0.1, 0.45, 2.2, 10]) { color, gamma in each(color) { pow($0, 1 / gamma) } }
        // feComponentTransfer of type table with two values interpolates linearly between them.
        try compare("invert", "amount", [0.2, 0.5, 1]) { color, amount in each(color) { amount + $0 * ((1 - amount) - amount) } }
    }

    @Test("Saturation, grayscale, sepia and hue are the W3C's matrices")
    func matrices() throws {
        try compare("saturation", "amount", [0, 0.4, 1.8, 4]) { color, s in
            // saturate mixes the picture with its luma, whose weights are rounded.
            let luma = (color * Color(0.213, 0.715, 0.072)).sum()
            return luma + (color - luma) * s
        }
        try compare("grayscale", "amount", [0.3, 1]) { color, amount in
            let luma = (color * Color(0.2126, 0.7152, 0.0722)).sum()
            return color + (luma - color) * amount
        }
        try compare("sepia", "amount", [0.3, 1]) { color, amount in
            let brown = times(
                color, [Color(0.393, 0.769, 0.189), Color(0.349, 0.686, 0.168), Color(0.272, 0.534, 0.131)])
            return color + (brown - color) * amount
        }
        try compare("hue", "angle", [-360, -123, 30, 90, 180, 300]) { color, degrees in
            let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            let constant = [Color(0.213, 0.715, 0.072), Color(0.213, 0.715, 0.072), Color(0.213, 0.715, 0.072)]
            let cosines = [Color(0.787, -0.715, -0.072), Color(-0.213, 0.285, -0.072), Color(-0.213, -0.715, 0.928)]
            let sines = [Color(-0.213, -0.715, 0.928), Color(0.143, 0.140, -0.283), Color(-0.787, 0.715, 0.072)]
            return times(color, (0..<3).map { constant[$0] + c * cosines[$0] + s * sines[$0] })
        }
    }

    @Test("Temperature and tint equal GPUImage's white balance")
    func whiteBalance() throws {
        try compare("temperature", "kelvin", [2500, 4200, 6500, 20_000]) { color, kelvin in
            let share = kelvin < 5000 ? 0.0004 * (kelvin - 5000) : 0.00006 * (kelvin - 5000)
            var result = color
            for (channel, warm) in [0.93, 0.54, 0].enumerated() {
                let c = color[channel]
                let processed = c < 0.5 ? 2 * c * warm : 1 - 2 * (1 - c) * (1 - warm)
                result[channel] = c * (1 - share) + processed * share
            }
            return result
        }
        try compare("tint", "amount", [-2, -0.6, 0.9, 2]) { color, tint in
            // This uses GPUImage's matrices as they are. Their product is the identity except for their rounding.
            var yiq = times(
                color, [Color(0.299, 0.587, 0.114), Color(0.596, -0.274, -0.322), Color(0.212, -0.523, 0.311)])
            yiq.z = clamp(yiq.z + tint * 0.5226 * 0.1, -0.5226, 0.5226)
            return times(yiq, [Color(1, 0.956, 0.621), Color(1, -0.272, -0.647), Color(1, -1.105, 1.702)])
        }
    }

    @Test("Vibrance, highlights and shadows equal GPUImage's")
    func tones() throws {
        try compare("vibrance", "amount", [-1.2, -0.5, 0.6, 1.2]) { color, amount in
            let share = (color.max() - color.sum() / 3) * -(amount * 3)
            return color * (1 - share) + color.max() * share
        }
        func adjusted(_ color: Color, highlights: Double, shadows: Double) -> Color {
            let luminance = (color * 0.3).sum()
            guard luminance > 0 else { return color }
            let shadow = clamp(
                (pow(luminance, 1 / (shadows + 1)) + -0.76 * pow(luminance, 2 / (shadows + 1))) - luminance, 0, 1)
            let highlight = clamp(
                (1 - (pow(1 - luminance, 1 / (2 - highlights)) + -0.8 * pow(1 - luminance, 2 / (2 - highlights)))) - luminance,
                -1,
                0)
            return (luminance + shadow + highlight) * (color / luminance)
        }
        try compare("highlights", "amount", [0.2, 0.7, 1]) { adjusted($0, highlights: 1 - $1, shadows: 0) }
        try compare("shadows", "amount", [0.2, 0.7, 1]) { adjusted($0, highlights: 1, shadows: $1) }
    }

    @Test("The vignette equals GPUImage's with black, mixed by an amount")
    func vignette() throws {
        let size = PixelPicture.colorful().size
        for (amount, start, end, x, y) in [(1, 0.3, 0.75, 0.5, 0.5), (0.6, 0, 0.4, 0.2, 0.9), (1, 0.1, 1.2, 0, 1.5)] {
            try compare("vignette", ["amount": amount, "start": start, "end": end, "center.x": x, "center.y": y]) {
                px, py, color in
                let dx = (Double(px) + 0.5) / Double(size.width) - x
                let dy = (Double(py) + 0.5) / Double(size.height) - y
                return color * (1 - amount * smoothstep(start, end, (dx * dx + dy * dy).squareRoot()))
            }
        }
    }

    @Test("Grain is the documented hash of place, frame and seed, without drift, and differs by frame")
    func grain() throws {
        func hash(_ value: UInt64) -> UInt64 {
            var x = value & 0xffff_ffff
            x = (x ^ (x >> 16)) * 0x7feb352d & 0xffff_ffff
            x = (x ^ (x >> 15)) * 0x846ca68b & 0xffff_ffff
            return x ^ (x >> 16)
        }
        for (amount, size, seed, frame) in [(0.2, 1, 0, 0), (1, 1, 77, 1234), (0.5, 3, 65_535, 9)] {
            let key = hash(UInt64(frame) + hash(UInt64(seed)))
            try compare("grain", ["amount": amount, "size": Double(size), "seed": Double(seed)], frame: frame) { x, y, color in
                let bits = hash(UInt64(y / size) << 16 | UInt64(x / size) ^ key)
                return color + amount * (bits < 1 << 31 ? Double(bits) : Double(bits) - 4_294_967_296) / 2_147_483_648
            }
        }
        let size = FrameSize(width: 256, height: 256)
        let grey = PixelPicture(size: size, channels: 3, bytes: [UInt8](repeating: 128, count: 3 * 65_536))
        let frames = try (0..<2).map { try grey.applying([.constant("grain", ["amount": 0.2])], frame: $0) }
        #expect(frames[0] != frames[1])
        let mean = frames[0].bytes.reduce(0) { $0 + Double($1) } / Double(frames[0].bytes.count)
        #expect(abs(mean - 128) < 0.3)
    }

    @Test("The chroma key equals GPUImage's, and spill is removed up to the documented limit")
    func chromaKey() throws {
        let picture = PixelPicture.colorful(channels: 4)
        let (threshold, smoothness, spill) = (0.3, 0.2, 0.75)
        let key = Color(0.1, 0.8, 0.2)
        let found = try picture.applying([
            .constant(
                "chromaKey",
                [
                    "color.red": key.x, "color.green": key.y, "color.blue": key.z, "threshold": threshold,
                    "smoothness": smoothness, "spill": spill,
                ])
        ])
        func chroma(_ color: Color) -> (Double, Double) {
            let y = 0.2989 * color.x + 0.5866 * color.y + 0.1145 * color.z
            return (0.7132 * (color.x - y), 0.5647 * (color.z - y))
        }
        func distance(_ color: Color) -> Double {
            hypot(chroma(color).0 - chroma(key).0, chroma(color).1 - chroma(key).1)
        }
        var expected = picture.mapped { _, _, color in
            let (own, keys) = (chroma(color), chroma(key))
            let angle = atan2(own.1, own.0) - atan2(keys.1, keys.0)
            let (along, across) = (hypot(own.0, own.1) * cos(angle), hypot(own.0, own.1) * sin(angle))
            let light = max(0, along - 0.55 * abs(across)) / hypot(keys.0, keys.1)
            return color - key * (spill * light)
        }
        for index in 0..<(picture.size.width * picture.size.height) {
            let color = picture[index % picture.size.width, index / picture.size.width]
            let alpha = Double(picture.bytes[index * 4 + 3]) * smoothstep(threshold, threshold + smoothness, distance(color))
            expected.bytes[index * 4 + 3] = UInt8(alpha.rounded())
        }
        #expect(found.largestDifference(from: expected) <= 1)
    }
}
