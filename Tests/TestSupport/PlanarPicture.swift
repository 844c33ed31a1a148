package import ExportPlan
package import Media

/// An 8-bit 4:2:0 picture in plain arrays, for reference computations and for comparisons with frames.
package struct PlanarPicture: Equatable, Sendable {
    package let size: FrameSize
    /// Luma, then the two chroma planes at half the size (rounded up), each row after row.
    package var planes: [[UInt8]]

    package init(size: FrameSize, planes: [[UInt8]]) {
        self.size = size
        self.planes = planes
    }

    /// Creates a picture of one colour.
    package init(size: FrameSize, y: UInt8, u: UInt8, v: UInt8) {
        self.size = size
        let chroma = (size.width + 1) / 2 * ((size.height + 1) / 2)
        planes = [
            [UInt8](repeating: y, count: size.width * size.height), [UInt8](repeating: u, count: chroma),
            [UInt8](repeating: v, count: chroma),
        ]
    }

    /// A picture of noise over the whole limited range.
    package static func noise(_ size: FrameSize, seed: UInt64) -> PlanarPicture {
        var random = RandomNumbers(seed: seed)
        var picture = PlanarPicture(size: size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let range: ClosedRange<UInt8> = plane == 0 ? 16...235 : 16...240
            for index in picture.planes[plane].indices {
                picture.planes[plane][index] = UInt8.random(in: range, using: &random)
            }
        }
        return picture
    }

    /// A copy of a frame's samples.
    package init(_ frame: VideoFrame) {
        size = frame.size
        planes = (0..<3).map { index in
            let plane = frame.plane(index)
            return (0..<plane.height).flatMap { y in
                Array(UnsafeBufferPointer(start: plane.row(y), count: plane.width))
            }
        }
    }

    /// The number of samples in a row of plane `index`.
    package func width(_ index: Int) -> Int { index == 0 ? size.width : (size.width + 1) / 2 }

    /// The number of rows of plane `index`.
    package func height(_ index: Int) -> Int { index == 0 ? size.height : (size.height + 1) / 2 }

    /// All planes one after the other, as in a raw video file.
    package var bytes: [UInt8] { planes.flatMap { $0 } }

    /// Reads a picture of a raw video file.
    package init(size: FrameSize, bytes: [UInt8]) {
        self.init(size: size, y: 0, u: 0, v: 0)
        var rest = bytes[...]
        for index in 0..<3 {
            planes[index] = Array(rest.prefix(planes[index].count))
            rest = rest.dropFirst(planes[index].count)
        }
    }

    /// A frame with these samples.
    package func frame() throws(MediaError) -> VideoFrame {
        let frame = try VideoFrame(.yuv420, size)
        for index in 0..<3 {
            let plane = frame.plane(index)
            for y in 0..<plane.height {
                for x in 0..<plane.width { plane.row(y)[x] = planes[index][y * plane.width + x] }
            }
        }
        return frame
    }

    /// The greatest difference of any sample; 255 if the sizes differ.
    package func largestDifference(from other: PlanarPicture) -> Int {
        guard size == other.size else { return 255 }
        return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    /// The mean difference of all samples; 255 if the sizes differ.
    package func meanDifference(from other: PlanarPicture) -> Double {
        guard size == other.size else { return 255 }
        let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes.count)
    }
}
