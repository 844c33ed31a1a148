import ExportPlan

/// A picture as frei0r wants it: sides that are multiples of 8, memory that begins at a multiple of 16, blue first where the
/// effect wants that. What is added at the right and at the bottom repeats the edge and is cut off again.
struct Frei0rLayout {
    let size: FrameSize
    let padded: FrameSize
    let isBlueFirst: Bool

    init(_ size: FrameSize, isBlueFirst: Bool) {
        self.size = size
        self.isBlueFirst = isBlueFirst
        padded = FrameSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8)
    }

    /// - Parameter update: draws from the first memory into the second one. What it leaves out stays as it was.
    func run(
        on pixels: [UInt8], _ update: (UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    ) -> [UInt8] {
        let count = padded.width * padded.height
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * count, alignment: 64)
        defer { memory.deallocate() }
        let both = memory.bindMemory(to: UInt32.self)
        guard let input = both.baseAddress else { return pixels }
        let output = input + count
        pixels.withUnsafeBytes { fill(input, $0) }
        output.update(from: input, count: count)
        update(input, output)
        var result = [UInt8](repeating: 0, count: pixels.count)
        result.withUnsafeMutableBytes { bytes in
            for y in 0..<size.height {
                let row = output + y * padded.width
                for x in 0..<size.width {
                    bytes.storeBytes(of: swapped(row[x]), toByteOffset: 4 * (y * size.width + x), as: UInt32.self)
                }
            }
        }
        return result
    }

    private func fill(_ input: UnsafeMutablePointer<UInt32>, _ bytes: UnsafeRawBufferPointer) {
        for y in 0..<padded.height {
            let start = min(y, size.height - 1) * size.width
            let row = input + y * padded.width
            for x in 0..<size.width {
                row[x] = swapped(bytes.loadUnaligned(fromByteOffset: 4 * (start + x), as: UInt32.self))
            }
            for x in size.width..<padded.width { row[x] = row[size.width - 1] }
        }
    }

    /// A pixel with red and blue exchanged, if the effect wants that; its own inverse.
    private func swapped(_ pixel: UInt32) -> UInt32 {
        guard isBlueFirst else { return pixel }
        let little = UInt32(littleEndian: pixel)
        return (little & 0xFF00_FF00 | (little >> 16) & 0xFF | (little & 0xFF) << 16).littleEndian
    }
}
