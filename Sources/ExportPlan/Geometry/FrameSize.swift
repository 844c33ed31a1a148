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
}

extension FrameSize: CustomStringConvertible {
    package var description: String { "\(width)x\(height)" }
}
