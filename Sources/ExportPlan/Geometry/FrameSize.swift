/// Width and height of a picture in whole pixels.
package struct FrameSize: Hashable, Sendable, Codable {
    package var width: Int
    package var height: Int

    @inlinable package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The nearest size with an even width and height of at least 2, as 4:2:0 pictures need.
    package init(evenlyAround width: Double, _ height: Double) {
        func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded()) * 2) }
        self.init(width: even(width), height: even(height))
    }

    /// The size with the same shape, as far as whole pixels allow, whose sides are at most those of another; this size
    /// where it is not larger.
    package func scaledDown(to largest: FrameSize) -> FrameSize {
        let scale = min(1, Double(largest.width) / Double(width), Double(largest.height) / Double(height))
        return FrameSize(
            width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded())))
    }
}

extension FrameSize: CustomStringConvertible {
    package var description: String { "\(width)x\(height)" }
}
