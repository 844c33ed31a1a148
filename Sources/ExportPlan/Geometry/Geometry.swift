package import ExactTime

/// A rectangle of whole canvas pixels with its origin at the top left. Every edge is even, so that 4:2:0 chroma is
/// never split.
package struct PixelRect: Hashable, Sendable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package init(_ size: FrameSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var size: FrameSize { FrameSize(width: width, height: height) }
}

/// A part of an upright source picture, as exact fractions of its width and height (0...1).
package struct Region: Hashable, Sendable, Codable {
    package var x: Rational
    package var y: Rational
    package var width: Rational
    package var height: Rational

    package static let whole = Region(x: .zero, y: .zero, width: .one, height: .one)

    package init(x: Rational, y: Rational, width: Rational, height: Rational) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// How a stored picture is made upright: it is mirrored left to right first, then rotated clockwise.
package struct Orientation: Hashable, Sendable, Codable {
    /// Quarter turns clockwise, 0...3.
    package var quarterTurns: Int
    package var mirrored: Bool

    package static let upright = Orientation(quarterTurns: 0, mirrored: false)

    package init(quarterTurns: Int, mirrored: Bool) {
        self.quarterTurns = quarterTurns
        self.mirrored = mirrored
    }

    /// Whether width and height change places.
    package var swapsAxes: Bool { quarterTurns % 2 == 1 }
}

/// Where a layer's picture is drawn: which region of the upright source is seen, and in which canvas rectangle.
package struct Placement: Hashable, Sendable, Codable {
    package var orientation: Orientation
    package var region: Region
    package var destination: PixelRect

    package init(orientation: Orientation, region: Region, destination: PixelRect) {
        self.orientation = orientation
        self.region = region
        self.destination = destination
    }
}
