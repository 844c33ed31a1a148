import ExportPlan
import Media

/// Blending of planes with weights in 1/32768: integer loops over straight pointers, which the compiler vectorises.
enum Blend {
    static let one: UInt32 = 32_768

    /// A fraction (0...1) as a weight.
    static func weight(_ fraction: Double) -> UInt32 {
        UInt32((min(1, max(0, fraction)) * Double(one)).rounded())
    }

    /// `first * (1 - w) + second * w`, rounded.
    static func mix(_ first: Plane, _ second: Plane, _ weight: UInt32, into target: Plane) {
        let rest = one - weight
        for y in 0..<target.height {
            let a = first.row(y)
            let b = second.row(y)
            let out = target.row(y)
            for x in 0..<target.width {
                out[x] = UInt8(truncatingIfNeeded: (UInt32(a[x]) &* rest &+ UInt32(b[x]) &* weight &+ one / 2) >> 15)
            }
        }
    }

    /// One row of `first * (1 - w) + second * w`, rounded, each sample with its own weight.
    static func mixRow(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ weights: UnsafePointer<UInt16>,
        into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count {
            let weight = UInt32(weights[x])
            let sum = UInt32(first[x]) &* (one &- weight) &+ UInt32(second[x]) &* weight
            out[x] = UInt8(truncatingIfNeeded: (sum &+ one / 2) >> 15)
        }
    }

    /// `first * (1 - w) + value * w`, rounded.
    static func mix(_ first: Plane, value: UInt8, _ weight: UInt32, into target: Plane) {
        let rest = one - weight
        let constant = UInt32(value) &* weight &+ one / 2
        for y in 0..<target.height {
            let a = first.row(y)
            let out = target.row(y)
            for x in 0..<target.width {
                out[x] = UInt8(truncatingIfNeeded: (UInt32(a[x]) &* rest &+ constant) >> 15)
            }
        }
    }

    /// Draws `picture` over `target` with the picture's alpha times an opacity.
    /// - Parameter alpha: one byte per sample, in rows of `picture.width` bytes.
    static func over(_ picture: Plane, alpha: UnsafePointer<UInt8>, opacity: UInt32, onto target: Plane) {
        for y in 0..<picture.height {
            let source = picture.row(y)
            let out = target.row(y)
            let cover = alpha + y * picture.width
            for x in 0..<picture.width {
                // 0...255 to 0...32768 without a division: 257 * 255 + 1 = 65536.
                let full = (UInt32(cover[x]) &* 257 &+ UInt32(cover[x] >> 7)) >> 1
                let weight = (full &* opacity &+ one / 2) >> 15
                out[x] = UInt8(
                    truncatingIfNeeded: (UInt32(out[x]) &* (one &- weight) &+ UInt32(source[x]) &* weight &+ one / 2) >> 15)
            }
        }
    }

    static func copy(_ source: Plane, into target: Plane) {
        for y in 0..<target.height { target.row(y).update(from: source.row(y), count: target.width) }
    }
}

/// Draws a picture into a rectangle of the canvas.
func blend(_ picture: RasterPicture, onto canvas: VideoFrame, at rect: PixelRect, opacity: Double) {
    let weight = Blend.weight(opacity)
    for index in 0..<3 {
        let source = picture.frame.plane(index)
        let step = index == 0 ? 1 : 2
        let target = canvas.plane(index).part(x: rect.x / step, y: rect.y / step, width: source.width, height: source.height)
        if let alpha = picture.alpha {
            let cover = index == 0 ? alpha.luma : alpha.chroma
            cover.withUnsafeBufferPointer { cover in
                if let base = cover.baseAddress { Blend.over(source, alpha: base, opacity: weight, onto: target) }
            }
        } else if weight == Blend.one {
            Blend.copy(source, into: target)
        } else {
            Blend.mix(target, source, weight, into: target)
        }
    }
}
