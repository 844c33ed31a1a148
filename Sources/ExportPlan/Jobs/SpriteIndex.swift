package import ExactTime

/// Where the sprite of each time of a film is.
package struct SpriteIndex: Hashable, Sendable, Codable {
    /// Sprites in a row of a sheet, and rows of a sheet.
    package static let columns = 10
    package static let rows = 10

    /// Seconds between two sprites, above zero.
    package var interval: Rational
    /// The length of the film.
    package var duration: MediaTime
    /// The size of each sprite, in pixels.
    package var width: Int
    package var height: Int

    package init(interval: Rational, duration: MediaTime, width: Int, height: Int) {
        self.interval = interval
        self.duration = duration
        self.width = width
        self.height = height
    }

    /// The number of sprites: one for each interval that has begun when the film ends.
    package var count: Int { max(1, (duration.seconds / interval).ceil) }

    /// The number of sheets.
    package var sheetCount: Int { (count + SpriteIndex.perSheet - 1) / SpriteIndex.perSheet }

    /// The sprites of a sheet.
    package func sprites(ofSheet sheet: Int) -> Range<Int> {
        let first = sheet * SpriteIndex.perSheet
        return first..<min(count, first + SpriteIndex.perSheet)
    }

    /// The time in the film that a sprite shows.
    package func time(ofSprite sprite: Int) -> Rational { Rational(sprite) * interval }

    private static let perSheet = columns * rows

    /// The index as WebVTT, whose cues are the addresses of the sprites with a media fragment: the form that players
    /// read (JW Player, Shaka, Video.js plug-ins).
    /// - Parameter name: the name of a sheet's file, by its number from 0.
    package func webVTT(_ name: (Int) -> String) -> String {
        var text = "WEBVTT\n"
        for sheet in 0..<sheetCount {
            for (place, sprite) in sprites(ofSheet: sheet).enumerated() {
                let end = min(time(ofSprite: sprite + 1), duration.seconds)
                let (x, y) = (place % SpriteIndex.columns * width, place / SpriteIndex.columns * height)
                text += "\n\(SpriteIndex.clock(time(ofSprite: sprite))) --> \(SpriteIndex.clock(end))\n"
                text += "\(name(sheet))#xywh=\(x),\(y),\(width),\(height)\n"
            }
        }
        return text
    }

    private static func clock(_ time: Rational) -> String { WebVTT.clock(milliseconds: (time * Rational(1000)).rounded) }
}
