public import ExportPlan
public import Media

/// A picture of 10 bits in plain arrays.
public struct DeepPicture: Equatable, Sendable {
    public let size: FrameSize
    /// Samples of luma for one of chroma, as powers of two.
    public let shift: (x: Int, y: Int)
    /// Luma, then the two chroma planes, each row after row.
    public var planes: [[UInt16]]

    public static func == (left: DeepPicture, right: DeepPicture) -> Bool {
        left.size == right.size && left.shift == right.shift && left.planes == right.planes
    }

    /// One colour all over.
    /// - Parameter shift: of chroma; halved both ways by default.
    public init(size: FrameSize, y: UInt16 = 64, chroma: UInt16 = 512, shift: (x: Int, y: Int) = (1, 1)) {
        self.size = size
        self.shift = shift
        let count = (size.width >> shift.x) * (size.height >> shift.y)
        planes = [
            [UInt16](repeating: y, count: size.width * size.height), [UInt16](repeating: chroma, count: count),
            [UInt16](repeating: chroma, count: count),
        ]
    }

    /// Noise over the whole limited range.
    public static func noise(_ size: FrameSize, seed: UInt64, shift: (x: Int, y: Int) = (1, 1)) -> DeepPicture {
        var random = RandomNumbers(seed: seed)
        var picture = DeepPicture(size: size, shift: shift)
        for plane in 0..<3 {
            for index in picture.planes[plane].indices {
                picture.planes[plane][index] = UInt16.random(in: 64...(plane == 0 ? 940 : 960), using: &random)
            }
        }
        return picture
    }

    /// A copy of a frame's samples.
    public init(_ frame: VideoFrame) {
        size = frame.size
        shift = frame.chromaShift
        planes = (0..<3).map { index in
            let plane = frame.deepPlane(index)
            return (0..<plane.height).flatMap { y in Array(UnsafeBufferPointer(start: plane.row(y), count: plane.width)) }
        }
    }

    /// A picture of a raw video file, little endian.
    public init(size: FrameSize, shift: (x: Int, y: Int) = (1, 1), bytes: [UInt8]) {
        self.init(size: size, shift: shift)
        var place = 0
        for plane in 0..<3 {
            for index in planes[plane].indices {
                planes[plane][index] = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
                place += 2
            }
        }
    }

    /// As raw video files hold it.
    public var bytes: [UInt8] { planes.flatMap { $0 }.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

    /// Samples in a row of plane `index`.
    public func width(_ index: Int) -> Int { index == 0 ? size.width : size.width >> shift.x }

    /// Rows of plane `index`.
    public func height(_ index: Int) -> Int { index == 0 ? size.height : size.height >> shift.y }

    /// The part inside a rectangle, whose edges are even.
    public func part(_ rect: PixelRect) -> DeepPicture {
        var result = DeepPicture(size: rect.size, shift: shift)
        for index in 0..<3 {
            let (x, y) = index == 0 ? (rect.x, rect.y) : (rect.x >> shift.x, rect.y >> shift.y)
            result.planes[index] = (0..<result.height(index)).flatMap { row in
                let start = (y + row) * width(index) + x
                return planes[index][start..<(start + result.width(index))]
            }
        }
        return result
    }

    /// The greatest difference of any sample; 1023 where the sizes differ.
    public func largestDifference(from other: DeepPicture) -> Int {
        guard size == other.size, shift == other.shift else { return 1023 }
        return zip(planes, other.planes).reduce(0) { largest, planes in
            zip(planes.0, planes.1).reduce(largest) { max($0, abs(Int($1.0) - Int($1.1))) }
        }
    }
}
