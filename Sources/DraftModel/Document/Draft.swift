package import ExactTime

/// One video as a client describes it: the document of `docs/draft.md`, without any defaults filled in.
///
/// `Draft.read` reads strict JSON and reports all faults at once. `JSONDecoder` accepts whatever Foundation accepts as
/// JSON and throws `DraftError`. `JSONEncoder` writes the draft.
package struct Draft: Hashable, Sendable, Encodable {
    package var version = 1
    package var id: String?
    package var title: String?
    /// Tags for the film's container.
    package var metadata: [String: String]?
    /// Which tags of the sources go into the film's container beside those; none by default.
    package var sourceMetadata: SourceMetadata?
    /// The size of the output in pixels: even, 16...8192.
    package var videoSize: PixelSize?
    package var frameRate: FrameRate?
    package var background: Background?
    /// The range of the timeline after all effects to which the film is cropped.
    package var timeRange: TimeRange?
    package var mainTrackClips: [MainTrackClip] = []
    package var audioClips: [AudioClip]?
    /// The sound tracks of the film, the first of which plays unless a viewer chooses another; one with everything by
    /// default.
    package var audioTracks: [DraftAudioTrack]?
    /// Effects on the whole picture of the main track, in the order in which they are applied.
    package var effects: [Effect]?
    /// Layers above the main track.
    package var layers: [DraftLayer]?
    /// Font files for texts and captions, in addition to the fonts of the rendering machine.
    package var fonts: [DraftFont]?
    /// Settings for the final mix.
    package var audio: DraftAudio?
    /// Chapters in the order of their times.
    package var chapters: [DraftChapter]?
    package var cover: DraftCover?
    /// The creation time in the film's metadata, in UTC. Without it the film has none, so that its bytes do not depend
    /// on when it is made.
    package var creationTime: String?
    /// What conditions removed from the document that this was read from. It is not written.
    package var removed = RemovedElements()

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case version, id, title, metadata, sourceMetadata, videoSize, frameRate, background, timeRange, mainTrackClips
        case audioClips, audioTracks, effects, layers, fonts, audio, chapters, cover, creationTime
    }
}

/// A font file that a draft brings with it.
package struct DraftFont: Hashable, Sendable, Encodable {
    package var url: String

    package init(url: String) {
        self.url = url
    }
}

/// Width and height in pixels.
package struct PixelSize: Hashable, Sendable, Codable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in pixels of a picture, or in fractions of it; origin top left.
package struct Rect: Hashable, Sendable, Encodable {
    package enum Unit: String, CaseIterable, Hashable, Sendable, Encodable { case pixel, ratio }

    package var x: Rational
    package var y: Rational
    package var width: Rational
    package var height: Rational
    package var unit: Unit?

    package init(x: Rational, y: Rational, width: Rational, height: Rational, unit: Unit? = nil) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.unit = unit
    }
}

/// The background behind clips that do not cover the frame.
package struct Background: Hashable, Sendable, Encodable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case color, blur, image }

    package var type: Kind
    /// `color` only.
    package var color: Color?
    /// `blur` only: the standard deviation of the Gaussian, in pixels of `videoSize`; 1...200.
    package var radius: Double?
    /// `image` only: the picture's location.
    package var url: String?

    package init(type: Kind, color: Color? = nil, radius: Double? = nil, url: String? = nil) {
        self.type = type
        self.color = color
        self.radius = radius
        self.url = url
    }
}

/// Gamma-encoded sRGB with straight alpha, each 0...255; written `#RRGGBB` or `#RRGGBBAA`.
package struct Color: Hashable, Sendable, Encodable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// - Returns: nil unless the text is `#RRGGBB` or `#RRGGBBAA`.
    package init?(hex text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy(\.isHexDigit), let bits = UInt32(digits, radix: 16)
        else { return nil }
        let rgba = digits.count == 8 ? bits : bits << 8 | 0xFF
        self.init(
            red: UInt8(rgba >> 24), green: UInt8(rgba >> 16 & 0xFF), blue: UInt8(rgba >> 8 & 0xFF),
            alpha: UInt8(rgba & 0xFF))
    }

    /// `#RRGGBB`, or `#RRGGBBAA` if the colour is not opaque.
    package var hex: String {
        let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
