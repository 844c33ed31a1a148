/// Width and height of a picture in whole pixels.
public struct FrameSize: Hashable, Sendable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The nearest size of whole pairs of pixels, at least one: what 4:2:0 pictures have.
    public init(evenlyAround width: Double, _ height: Double) {
        func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded()) * 2) }
        self.init(width: even(width), height: even(height))
    }
}

extension FrameSize: CustomStringConvertible {
    public var description: String { "\(width)x\(height)" }
}
