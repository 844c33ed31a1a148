import ExportPlan
import Media

/// The chroma of a picture at full resolution. Chroma that is enlarged from half the resolution would bleed by one
/// chroma sample, which can be several canvas pixels.
struct FullChroma {
    private let width: Int
    private let height: Int
    private let blue: [UInt8]
    private let red: [UInt8]
    let alpha: [UInt8]

    fileprivate init(width: Int, height: Int, blue: [UInt8], red: [UInt8], alpha: [UInt8]) {
        (self.width, self.height, self.blue, self.red, self.alpha) = (width, height, blue, red, alpha)
    }

    /// - Parameter index: the plane: 1 is Cb, 2 is Cr.
    func withPlane<Outcome>(_ index: Int, _ body: (Plane) -> Outcome?) -> Outcome? {
        (index == 1 ? blue : red).withUnsafeBufferPointer { samples in
            // The body only reads: `Plane` has no read-only variant.
            UnsafeMutableBufferPointer(mutating: samples).baseAddress.flatMap {
                body(Plane(base: $0, stride: width, width: width, height: height))
            }
        }
    }
}

/// Holds a picture's `FullChroma` once it has been computed.
final class ChromaCache {
    fileprivate var made: FullChroma?
}

extension PixelPicture {
    func fullChroma() -> FullChroma {
        if let made = chroma.made { return made }
        let full = makeFullChroma()
        chroma.made = full
        return full
    }

    private func makeFullChroma() -> FullChroma {
        let plane = frame.plane(0)
        let (width, height) = (frame.size.width, frame.size.height)
        var blue = [UInt8](repeating: 128, count: width * height)
        var red = blue
        var alpha = blue
        for y in 0..<height {
            for x in 0..<width {
                let pixel = plane.row(y) + 4 * x
                let color = YUVColor(pixel, isPremultiplied: isPremultiplied)
                blue[y * width + x] = color.u
                red[y * width + x] = color.v
                alpha[y * width + x] = pixel[3]
            }
        }
        return FullChroma(width: width, height: height, blue: blue, red: red, alpha: alpha)
    }
}
