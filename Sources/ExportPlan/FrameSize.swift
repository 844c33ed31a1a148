/// Width and height of a picture in whole pixels.
public struct FrameSize: Hashable, Sendable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

extension FrameSize: CustomStringConvertible {
    public var description: String { "\(width)x\(height)" }
}
