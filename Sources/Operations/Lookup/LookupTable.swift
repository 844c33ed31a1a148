import CPixelKernels

/// A colour lookup table: one curve a channel, or a cube of colours, which may have curves before it. Read from a file once (`CubeFile`, `LookupImage`),
/// then shared by all frames.
public struct LookupTable: Sendable, Equatable {
    /// How the values are laid out.
    public enum Shape: Sendable, Equatable {
        /// Three curves of `points` values each.
        case curves
        /// `points`^3 colours, red fastest.
        case cube
    }

    public let shape: Shape
    /// Along each axis, at least 2.
    public let points: Int
    /// What the first and the last point of each channel (red, green, blue) stand for.
    public let domain: [ClosedRange<Float>]
    /// Curves: red's values, a copy of the last, then green's and blue's likewise. A cube: red, green, blue, 0 for each
    /// point.
    private let values: [Float]
    /// Curves through which colours go before they are looked up in the cube; nil of most. An array, because a value cannot hold one of its
    /// own kind.
    private let shapers: [LookupTable]

    /// - Parameters:
    ///   - colors: `points` (curves) or `points`^3 (cube, red fastest) colours.
    ///   - shaper: curves before a cube.
    init(
        _ shape: Shape, points: Int, colors: [SIMD3<Float>], domain: [ClosedRange<Float>] = [0...1, 0...1, 0...1],
        shaper: LookupTable? = nil
    ) {
        self.shape = shape
        self.points = points
        self.domain = domain
        shapers = shaper.map { [$0] } ?? []
        switch shape {
        case .curves: values = (0..<3).flatMap { channel in colors.map { $0[channel] } + [colors[points - 1][channel]] }
        case .cube: values = colors.flatMap { [$0.x, $0.y, $0.z, 0] }
        }
    }

    /// Puts a row through the table; intensity 0...1 mixes with what was there.
    func apply(to row: PixelRow, intensity: Float) {
        guard let shaper = shapers.first else { return lookUp(row, intensity: intensity) }
        guard intensity < 1 else {
            shaper.lookUp(row, intensity: 1)
            return lookUp(row, intensity: 1)
        }
        // What both tables make of the row is mixed with the row as it was.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: row.count * 3) { original in
            guard let base = original.baseAddress else { return }
            for (channel, pixels) in row.colors.enumerated() {
                (base + channel * row.count).initialize(from: pixels, count: row.count)
            }
            shaper.lookUp(row, intensity: 1)
            lookUp(row, intensity: 1)
            for (channel, pixels) in row.colors.enumerated() {
                let before = base + channel * row.count
                for x in 0..<row.count { pixels[x] = before[x] + (pixels[x] - before[x]) * intensity }
            }
        }
    }

    /// Puts a row through this table alone.
    private func lookUp(_ row: PixelRow, intensity: Float) {
        let offsets = domain.map(\.lowerBound)
        let scales = domain.map { Float(points - 1) / ($0.upperBound - $0.lowerBound) }
        switch shape {
        case .curves:
            values.withUnsafeBufferPointer { values in
                guard let base = values.baseAddress else { return }
                for (channel, pixels) in row.colors.enumerated() {
                    spool_look_up_line(
                        pixels, row.count, base + channel * (points + 1), Int32(points), offsets[channel], scales[channel],
                        intensity)
                }
            }
        case .cube:
            spool_look_up_cube(
                row.red, row.green, row.blue, row.count, values, Int32(points), offsets, scales, intensity)
        }
    }
}
