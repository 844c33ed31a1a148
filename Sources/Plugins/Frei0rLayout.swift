import ExportPlan

/// Pictures in the memory layout of frei0r: sides that are multiples of 8, memory aligned to at least 16 bytes, and
/// blue first if the effect wants that. The padding at the right and at the bottom repeats the edge and is cut off
/// again.
struct Frei0rLayout {
    let size: FrameSize
    let padded: FrameSize
    let isBlueFirst: Bool

    init(_ size: FrameSize, isBlueFirst: Bool) {
        self.size = size
        self.isBlueFirst = isBlueFirst
        padded = FrameSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8)
    }

    /// - Parameters:
    ///   - inputs: the pictures that the effect takes, in order.
    ///   - update: draws from the first buffers into the last one. That one begins as a copy of the first picture, so
    ///     pixels that the effect does not write stay unchanged. Without a picture it is transparent.
    func run(
        on inputs: [[UInt8]], _ update: ([UnsafePointer<UInt32>], UnsafeMutablePointer<UInt32>) -> Void
    ) -> [UInt8] {
        let count = padded.width * padded.height
        let byteCount = 4 * size.width * size.height
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * count * (inputs.count + 1), alignment: 64)
        defer { memory.deallocate() }
        guard let start = memory.bindMemory(to: UInt32.self).baseAddress else {
            return [UInt8](repeating: 0, count: byteCount)
        }
        let pictures = inputs.indices.map { start + count * $0 }
        for (picture, pixels) in zip(pictures, inputs) {
            pixels.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress { fill(picture, start) }
            }
        }
        let output = start + count * inputs.count
        if let first = pictures.first {
            output.update(from: first, count: count)
        } else {
            output.update(repeating: 0, count: count)
        }
        update(pictures.map { UnsafePointer($0) }, output)
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, written in
            if let start = bytes.baseAddress { cut(output, UnsafeMutableRawPointer(start)) }
            written = byteCount
        }
    }

    private func fill(_ input: UnsafeMutablePointer<UInt32>, _ bytes: UnsafeRawPointer) {
        for y in 0..<padded.height {
            let source = bytes + 4 * min(y, size.height - 1) * size.width
            let row = input + y * padded.width
            for x in 0..<size.width { row[x] = source.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self) }
            if isBlueFirst { swap(row) }
            for x in size.width..<padded.width { row[x] = row[size.width - 1] }
        }
    }

    private func cut(_ output: UnsafeMutablePointer<UInt32>, _ bytes: UnsafeMutableRawPointer) {
        for y in 0..<size.height {
            let row = output + y * padded.width
            if isBlueFirst { swap(row) }
            (bytes + 4 * y * size.width).copyMemory(from: row, byteCount: 4 * size.width)
        }
    }

    /// Exchanges red and blue in a row's pixels. Applying it twice restores the row.
    private func swap(_ row: UnsafeMutablePointer<UInt32>) {
        for x in 0..<size.width {
            let pixel = UInt32(littleEndian: row[x])
            row[x] = (pixel & 0xFF00_FF00 | (pixel >> 16) & 0xFF | (pixel & 0xFF) << 16).littleEndian
        }
    }
}
