import CPixelKernels

/// A colour lookup table: one curve per channel, or a cube of colours, optionally with curves before it. It is read
/// from a file once (`CubeFile`, `LookupImage`) and then shared by all frames.
package struct LookupTable: Sendable, Equatable {
    /// How the values are laid out.
    package enum Shape: Sendable, Equatable {
        /// Three curves of `points` values each.
        case curves
        /// `points`^3 colours, red fastest.
        case cube
    }

    package let shape: Shape
    /// The number of points along each axis, at least 2.
    package let points: Int
    /// The input values of the first and the last point for each channel (red, green, blue).
    package let domain: [ClosedRange<Float>]
    /// The values in the order that the C loops read. Curves: red's values and a copy of the last one, then the same
    /// for green and blue. Cube: red, green, blue and 0 for each point.
    private let values: [Float]
    /// Curves that colours go through before they are looked up in the cube. Most tables have none. It is an array
    /// because a value cannot contain another value of its own type.
    private let shapers: [LookupTable]

    /// - Parameters:
    ///   - colors: `points` colours for curves, `points`^3 colours for a cube (red fastest).
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

    /// Puts a row through the table. The result is mixed with the original row by the intensity, 0...1.
    func apply(to row: PixelRow, intensity: Float) {
        guard let shaper = shapers.first else { return lookUp(row, intensity: intensity) }
        guard intensity < 1 else {
            shaper.lookUp(row, intensity: 1)
            return lookUp(row, intensity: 1)
        }
        // The intensity mixes the result of both tables with the original row, so the original is kept.
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

    /// Puts a row through this table without the shaper.
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
