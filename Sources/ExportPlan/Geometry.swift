public import ExactTime

/// A rectangle of whole canvas pixels; origin top left. Every edge is even, so 4:2:0 chroma is never split.
public struct PixelRect: Hashable, Sendable, Codable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(_ size: FrameSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    public var size: FrameSize { FrameSize(width: width, height: height) }
}

/// A part of an upright source picture, as exact fractions of its width and height (0...1).
public struct Region: Hashable, Sendable, Codable {
    public var x: Rational
    public var y: Rational
    public var width: Rational
    public var height: Rational

    public static let whole = Region(x: .zero, y: .zero, width: .one, height: .one)

    public init(x: Rational, y: Rational, width: Rational, height: Rational) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// How a stored picture is turned to stand upright: mirrored left to right first, then turned clockwise.
public struct Orientation: Hashable, Sendable, Codable {
    /// Clockwise, 0...3.
    public var quarterTurns: Int
    public var mirrored: Bool

    public static let upright = Orientation(quarterTurns: 0, mirrored: false)

    public init(quarterTurns: Int, mirrored: Bool) {
        self.quarterTurns = quarterTurns
        self.mirrored = mirrored
    }

    /// Whether width and height change places.
    public var swapsAxes: Bool { quarterTurns % 2 == 1 }
}

/// Where a layer's picture lands: which part of the upright source is seen, and in which canvas rectangle.
public struct Placement: Hashable, Sendable, Codable {
    public var orientation: Orientation
    public var region: Region
    public var destination: PixelRect

    public init(orientation: Orientation, region: Region, destination: PixelRect) {
        self.orientation = orientation
        self.region = region
        self.destination = destination
    }
}
