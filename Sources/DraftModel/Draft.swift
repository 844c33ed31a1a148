public import ExactTime

/// One video as a client describes it: the document of `docs/draft.md`, with nothing filled in that was not written.
///
/// Read it with `Draft.read` (all faults at once, of what is JSON by the letter) or `JSONDecoder` (throws `DraftError`, and takes what
/// Foundation takes for JSON); `JSONEncoder` writes it back.
public struct Draft: Hashable, Sendable, Encodable {
    public var version = 1
    public var id: String?
    public var title: String?
    /// Written into the container.
    public var metadata: [String: String]?
    /// Output pixels: even, 16...8192.
    public var videoSize: PixelSize?
    public var frameRate: FrameRate?
    public var background: Background?
    /// Crops the result, on the timeline after all effects.
    public var timeRange: TimeRange?
    public var mainTrackClips: [MainTrackClip] = []
    public var audioClips: [AudioClip]?
    /// On the whole picture of the main track, in order.
    public var effects: [Effect]?
    /// Above the main track.
    public var layers: [DraftLayer]?
    /// Font files for texts and captions, beside those of the machine that renders.
    public var fonts: [DraftFont]?
    /// What is done to the final mix.
    public var audio: DraftAudio?
    /// In order.
    public var chapters: [DraftChapter]?
    public var cover: DraftCover?
    /// What the file says of when it was made, in UTC; without it the file says nothing, and is the same whenever it is made.
    public var creationTime: String?

    public init() {}
}

/// A font file that a draft brings with it.
public struct DraftFont: Hashable, Sendable, Encodable {
    public var url: String

    public init(url: String) {
        self.url = url
    }
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in pixels of a picture, or in fractions of it; origin top left.
public struct Rect: Hashable, Sendable, Encodable {
    public enum Unit: String, CaseIterable, Hashable, Sendable, Encodable { case pixel, ratio }

    public var x: Rational
    public var y: Rational
    public var width: Rational
    public var height: Rational
    public var unit: Unit?

    public init(x: Rational, y: Rational, width: Rational, height: Rational, unit: Unit? = nil) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.unit = unit
    }
}

/// What shows where no clip covers the frame.
public struct Background: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case color, blur, image }

    public var type: Kind
    /// `color` only.
    public var color: Color?
    /// `blur` only: the standard deviation of the Gaussian, in pixels of `videoSize`; 1...200.
    public var radius: Double?
    /// `image` only: the picture's location.
    public var url: String?

    public init(type: Kind, color: Color? = nil, radius: Double? = nil, url: String? = nil) {
        self.type = type
        self.color = color
        self.radius = radius
        self.url = url
    }
}

/// Gamma-encoded sRGB with straight alpha, each 0...255; written `#RRGGBB` or `#RRGGBBAA`.
public struct Color: Hashable, Sendable, Encodable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// - Returns: nil unless the text is `#RRGGBB` or `#RRGGBBAA`.
    public init?(hex text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy(\.isHexDigit), let bits = UInt32(digits, radix: 16)
        else { return nil }
        let rgba = digits.count == 8 ? bits : bits << 8 | 0xFF
        self.init(
            red: UInt8(rgba >> 24), green: UInt8(rgba >> 16 & 0xFF), blue: UInt8(rgba >> 8 & 0xFF),
            alpha: UInt8(rgba & 0xFF))
    }

    /// `#RRGGBB`, with the alpha only where it is not opaque.
    public var hex: String {
        let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
