/// Film grain: noise that depends only on position, frame number and seed, so that a frame looks the same on every
/// machine. The noise is a hash (the two-multiplication mixer "lowbias32" of Chris Wellons' hash-prospector). It is
/// uniform, and the same for all three channels.
extension OperationDescriptor {
    static let grain = OperationDescriptor(
        "grain", "Adds film grain that changes from frame to frame.",
        formula:
            "c + amount * n, n in -1...1 from h((x / size + 65536 (y / size)) xor h(frame + h(seed))), h = lowbias32 (hash-prospector)",
        isTimeDependent: true,
        parameters: [
            OperationParameter("amount", default: 0.1, neutral: 0, in: 0...1, unit: "of full scale", "the strongest grain"),
            OperationParameter("size", default: 1, in: 1...64, unit: "pixels", "a grain's side"),
            OperationParameter("seed", default: 0, in: 0...65_535, unit: "number", "another grain for each"),
        ],
        .pixelwise { instant in
            let amount = instant["amount"]
            let size = max(1, UInt32(instant["size"].rounded()))
            let seed = Grain.mixed(UInt32(truncatingIfNeeded: instant.frame) &+ Grain.mixed(UInt32(instant["seed"])))
            return { row in
                let line = (UInt32(truncatingIfNeeded: row.y) / size) << 16
                row.mapColors { x, r, g, b in
                    let column = size == 1 ? UInt32(truncatingIfNeeded: x) : UInt32(truncatingIfNeeded: x) / size
                    let noise = amount * Grain.value(at: column | line, seed: seed)
                    return (r + noise, g + noise, b + noise)
                }
            }
        })
}

/// The noise of `grain`.
enum Grain {
    /// A hash in which every bit of the result depends on all bits of `value`.
    @inline(__always)
    static func mixed(_ value: UInt32) -> UInt32 {
        var x = value
        x = (x ^ (x >> 16)) &* 0x7feb_352d
        x = (x ^ (x >> 15)) &* 0x846c_a68b
        return x ^ (x >> 16)
    }

    /// A noise value, -1..<1, in steps of 2^-23.
    @inline(__always)
    static func value(at place: UInt32, seed: UInt32) -> Float {
        Float(Int32(bitPattern: mixed(place ^ seed)) >> 8) / 8_388_608
    }
}
