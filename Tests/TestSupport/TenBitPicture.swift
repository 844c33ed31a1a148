package import ExportPlan
package import Media

/// A 10-bit picture in plain arrays.
package struct TenBitPicture: Equatable, Sendable {
    package let size: FrameSize
    /// The binary logarithm of the number of luma samples per chroma sample, horizontally and vertically.
    package let shift: (x: Int, y: Int)
    /// Luma, then the two chroma planes, each row after row.
    package var planes: [[UInt16]]

    package static func == (left: TenBitPicture, right: TenBitPicture) -> Bool {
        left.size == right.size && left.shift == right.shift && left.planes == right.planes
    }

    /// Creates a picture of one colour.
    /// - Parameter shift: the chroma subsampling; 4:2:0 by default.
    package init(size: FrameSize, y: UInt16 = 64, chroma: UInt16 = 512, shift: (x: Int, y: Int) = (1, 1)) {
        self.size = size
        self.shift = shift
        let count = (size.width >> shift.x) * (size.height >> shift.y)
        planes = [
            [UInt16](repeating: y, count: size.width * size.height), [UInt16](repeating: chroma, count: count),
            [UInt16](repeating: chroma, count: count),
        ]
    }

    /// A picture of noise over the whole limited range.
    package static func noise(_ size: FrameSize, seed: UInt64, shift: (x: Int, y: Int) = (1, 1)) -> TenBitPicture {
        var random = RandomNumbers(seed: seed)
        var picture = TenBitPicture(size: size, shift: shift)
        for plane in 0..<3 {
            for index in picture.planes[plane].indices {
                picture.planes[plane][index] = UInt16.random(in: 64...(plane == 0 ? 940 : 960), using: &random)
            }
        }
        return picture
    }

    /// A copy of a frame's samples.
    package init(_ frame: VideoFrame) {
        size = frame.size
        shift = frame.chromaShift
        planes = (0..<3).map { index in
            let plane = frame.highDepthPlane(index)
            return (0..<plane.height).flatMap { y in Array(UnsafeBufferPointer(start: plane.row(y), count: plane.width)) }
        }
    }

    /// Reads a picture of a raw video file, little endian.
    package init(size: FrameSize, shift: (x: Int, y: Int) = (1, 1), bytes: [UInt8]) {
        self.init(size: size, shift: shift)
        var place = 0
        for plane in 0..<3 {
            for index in planes[plane].indices {
                planes[plane][index] = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
                place += 2
            }
        }
    }

    /// The bytes of the picture in a raw video file.
    package var bytes: [UInt8] { planes.flatMap { $0 }.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

    /// The number of samples in a row of plane `index`.
    package func width(_ index: Int) -> Int { index == 0 ? size.width : size.width >> shift.x }

    /// The number of rows of plane `index`.
    package func height(_ index: Int) -> Int { index == 0 ? size.height : size.height >> shift.y }

    /// The region inside a rectangle, whose edges are even.
    package func part(_ rect: PixelRect) -> TenBitPicture {
        var result = TenBitPicture(size: rect.size, shift: shift)
        for index in 0..<3 {
            let (x, y) = index == 0 ? (rect.x, rect.y) : (rect.x >> shift.x, rect.y >> shift.y)
            result.planes[index] = (0..<result.height(index)).flatMap { row in
                let start = (y + row) * width(index) + x
                return planes[index][start..<(start + result.width(index))]
            }
        }
        return result
    }

    /// The greatest difference of any sample; 1023 if the sizes differ.
    package func largestDifference(from other: TenBitPicture) -> Int {
        guard size == other.size, shift == other.shift else { return 1023 }
        return zip(planes, other.planes).reduce(0) { largest, planes in
            zip(planes.0, planes.1).reduce(largest) { max($0, abs(Int($1.0) - Int($1.1))) }
        }
    }
}
