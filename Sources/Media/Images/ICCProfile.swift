import ExportPlan

/// Reads the primaries of an RGB image from its ICC profile. Phones mark the colours of their photos with such
/// profiles.
struct ICCProfile {
    /// Larger profiles are not read. Display profiles have a few kilobytes.
    static let maximumBytes = 4 << 20

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The primaries whose red and green colorants (tags `rXYZ` and `gXYZ`; ICC.1:2022, 9.2) match the profile's, or
    /// nil.
    var primaries: ColorDescription.Primaries? {
        guard let red = colorant("rXYZ"), let green = colorant("gXYZ") else { return nil }
        return ICCProfile.known.first { entry in
            zip(red + green, entry.colorants).allSatisfy { abs($0 - $1) < 0.015 }
        }?.primaries
    }

    /// X, Y, Z of red and green, adapted to D50 as profiles store them.
    private static let known: [(primaries: ColorDescription.Primaries, colorants: [Double])] = [
        (.bt709, [0.4360, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971]),
        (.displayP3, [0.5151, 0.2412, -0.0011, 0.2919, 0.6922, 0.0419]),
        (.bt2020, [0.6735, 0.2790, -0.0019, 0.1657, 0.6754, 0.0300]),
    ]

    private func colorant(_ name: String) -> [Double]? {
        guard let tagCount = word(128), tagCount <= 1000 else { return nil }
        for tag in 0..<tagCount {
            let entry = 132 + 12 * tag
            guard entry + 12 <= bytes.count, bytes[entry..<entry + 4].elementsEqual(name.utf8) else { continue }
            // 'XYZ ', four reserved bytes, then three numbers of 16.16 bits.
            guard let offset = word(entry + 4), let x = word(offset + 8), let y = word(offset + 12), let z = word(offset + 16)
            else { return nil }
            return [x, y, z].map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        }
        return nil
    }

    /// A big-endian number of 32 bits.
    private func word(_ offset: Int) -> Int? {
        guard offset >= 0, offset + 4 <= bytes.count else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
