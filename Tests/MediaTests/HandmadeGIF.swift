/// A GIF that is written byte by byte, with features that no encoder writes, and its expected pictures by the rules of
/// browsers: the canvas starts transparent, whatever background the file names, and cleared regions become transparent.
struct HandmadeGIF {
    struct Frame {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// The disposal: 0 none, 1 keep, 2 clear, 3 restore.
        var disposal: Int
        /// The transparent index, or nil.
        var transparent: UInt8?
        /// Indices into `HandmadeGIF.palette`, row after row.
        var pixels: [UInt8]
    }

    static let palette: [[UInt8]] = [[200, 30, 30], [20, 180, 60], [40, 60, 220], [250, 240, 10]]

    var width: Int
    var height: Int
    /// The index of the background colour, which must not be seen.
    var background: UInt8
    var frames: [Frame]

    /// Random rectangles, partly outside the canvas, with every disposal.
    static func random(seed: inout some RandomNumberGenerator) -> HandmadeGIF {
        let (width, height) = (23, 17)
        let frames = (0..<12).map { _ in
            let (w, h) = (Int.random(in: 1...width, using: &seed), Int.random(in: 1...height, using: &seed))
            return Frame(
                x: Int.random(in: 0...(width - w), using: &seed), y: Int.random(in: 0...(height - h), using: &seed), width: w,
                height: h, disposal: Int.random(in: 0...3, using: &seed),
                transparent: Bool.random(using: &seed) ? UInt8.random(in: 0...3, using: &seed) : nil,
                pixels: (0..<w * h).map { _ in UInt8.random(in: 0...3, using: &seed) })
        }
        return HandmadeGIF(width: width, height: height, background: 2, frames: frames)
    }

    /// The file in version 89a, in which every frame lasts 100 ms.
    var bytes: [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var file = Array("GIF89a".utf8) + word(width) + word(height) + [0x81, background, 0]
        file += HandmadeGIF.palette.flatMap { $0 }
        for frame in frames {
            file += [0x21, 0xF9, 4, UInt8(frame.disposal << 2) | (frame.transparent == nil ? 0 : 1)] + word(10)
            file += [frame.transparent ?? 0, 0, 0x2C] + word(frame.x) + word(frame.y) + word(frame.width) + word(frame.height)
            file += [0, 2] + HandmadeGIF.compressed(frame.pixels) + [0]
        }
        return file + [0x3B]
    }

    /// LZW data with codes of three bits throughout: the code table is cleared before it grows.
    private static func compressed(_ pixels: [UInt8]) -> [UInt8] {
        var (bits, count): (UInt32, UInt32) = (0, 0)
        var data: [UInt8] = []
        func put(_ code: UInt32) {
            bits |= code << count
            count += 3
            while count >= 8 {
                data.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        for (index, pixel) in pixels.enumerated() {
            if index % 2 == 0 { put(4) }
            put(UInt32(pixel))
        }
        put(5)
        if count > 0 { data.append(UInt8(bits & 255)) }
        return stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(start + 255, data.count)]
            return [UInt8(block.count)] + block
        }
    }

    /// The RGBA pixels of every frame; transparent pixels are black.
    var shown: [[UInt8]] {
        var canvas = [UInt8](repeating: 0, count: width * height * 4)
        return frames.map { frame in
            let before = canvas
            func each(_ body: (_ offset: Int, _ index: UInt8) -> Void) {
                for y in 0..<frame.height {
                    for x in 0..<frame.width {
                        body(((frame.y + y) * width + frame.x + x) * 4, frame.pixels[y * frame.width + x])
                    }
                }
            }
            each { offset, index in
                guard index != frame.transparent else { return }
                canvas.replaceSubrange(offset..<offset + 4, with: HandmadeGIF.palette[Int(index)] + [255])
            }
            let picture = canvas
            if frame.disposal == 2 { each { offset, _ in canvas.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 0]) } }
            if frame.disposal == 3 { canvas = before }
            return picture
        }
    }
}
