import ExactTime
import ExportPlan
import Operations
import TestSupport

/// An 8-bit RGB or RGBA picture in a plain array, on which chains run and which references compute.
struct PixelPicture: Equatable {
    let size: FrameSize
    let channels: Int
    var bytes: [UInt8]

    /// A picture with all kinds of colours: ramps of each channel, greys, primaries and noise.
    static func colorful(_ size: FrameSize = FrameSize(width: 127, height: 64), channels: Int = 3) -> PixelPicture {
        var random = RandomNumbers(seed: 7)
        var picture = PixelPicture(
            size: size, channels: channels, bytes: [UInt8](repeating: 0, count: size.width * size.height * channels))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let ramp = UInt8(x * 255 / (size.width - 1))
                for channel in 0..<channels {
                    let value: UInt8 =
                        switch y % 8 {
                        case 0: ramp
                        case 1: channel == y / 8 % 3 ? ramp : 0
                        case 2: channel == y / 8 % 3 ? 255 : ramp
                        case 3: (x >> channel) & 1 == 1 ? 255 : 0
                        default: UInt8.random(in: 0...255, using: &random)
                        }
                    picture.bytes[(y * size.width + x) * channels + channel] = value
                }
            }
        }
        return picture
    }

    /// The result of a chain of these operations.
    func applying(
        _ operations: [ExportPlan.Operation], frame: Int = 0, of frameRate: FrameRate = FrameRate(1),
        tables: [String: LookupTable] = [:]
    ) throws -> PixelPicture {
        let chain = try OperationChain(operations, atFrame: frame, of: frameRate, size: size, tables: tables)
        var result = self
        let stride = size.width * channels
        result.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            chain.run(on: InterleavedPixels(base: base, stride: stride, channels: channels))
        }
        return result
    }

    /// The result of a formula in double precision. Alpha stays.
    func mapped(_ formula: (_ x: Int, _ y: Int, _ color: SIMD3<Double>) -> SIMD3<Double>) -> PixelPicture {
        var result = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = formula(x, y, self[x, y])
                for channel in 0..<3 {
                    result.bytes[(y * size.width + x) * channels + channel] =
                        UInt8((min(1, max(0, color[channel])) * 255).rounded())
                }
            }
        }
        return result
    }

    /// A pixel's colour, 0...1. Beyond the edges it is the colour of the nearest pixel.
    subscript(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let place = (min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)) * channels
        return SIMD3(Double(bytes[place]), Double(bytes[place + 1]), Double(bytes[place + 2])) / 255
    }

    /// The greatest difference between any two values.
    func largestDifference(from other: PixelPicture) -> Int {
        zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}

extension ExportPlan.Operation {
    /// An operation whose parameters are constant.
    static func constant(_ name: String, _ values: [String: Double] = [:], source: String? = nil) -> ExportPlan.Operation {
        ExportPlan.Operation(name: name, parameters: values.mapValues { .constant($0) }, source: source)
    }
}

extension PlanarPicture {
    /// The result of a chain of these operations.
    func applying(_ operations: [ExportPlan.Operation], tables: [String: LookupTable] = [:]) throws -> PlanarPicture {
        try applyingWithAlpha(operations, tables: tables, hasAlpha: false).picture
    }

    /// The same, with the resulting alpha plane of an opaque picture.
    func applyingWithAlpha(
        _ operations: [ExportPlan.Operation], tables: [String: LookupTable] = [:], hasAlpha: Bool = true
    ) throws -> (picture: PlanarPicture, alpha: [UInt8]) {
        let chain = try OperationChain(operations, atFrame: 0, of: FrameRate(1), size: size, tables: tables)
        let counts = planes.map(\.count)
        // One block of memory holds all planes, so that they can be reached through one pointer.
        var memory = bytes + [UInt8](repeating: 255, count: counts[0])
        memory.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            let (blue, red) = (base + counts[0], base + counts[0] + counts[1])
            chain.run(
                on: PlanarPixels(
                    y: .init(base: base, stride: width(0)), cb: .init(base: blue, stride: width(1)),
                    cr: .init(base: red, stride: width(2)),
                    alpha: hasAlpha ? .init(base: red + counts[2], stride: width(0)) : nil))
        }
        var start = 0
        let parts = (counts + [counts[0]]).map { count in
            defer { start += count }
            return Array(memory[start..<(start + count)])
        }
        return (PlanarPicture(size: size, planes: Array(parts[..<3])), parts[3])
    }
}
