/// Frames of a film, tiled in rows from the top left: a contact sheet, or with one shot a picture.
public struct PictureSheet: Hashable, Sendable, Codable {
    /// One frame of a segment.
    public struct Shot: Hashable, Sendable, Codable {
        public var slice: VideoSlice
        /// Counted from the segment's first.
        public var frame: Int

        public init(slice: VideoSlice, frame: Int) {
            self.slice = slice
            self.frame = frame
        }
    }

    /// Pixels between neighbouring shots.
    public static let gap = 4

    public var shots: [Shot]
    /// Of each shot, in pixels.
    public var shotSize: FrameSize
    /// Shots in a row, at least 1.
    public var columns: Int

    public init(shots: [Shot], shotSize: FrameSize, columns: Int = 1) {
        self.shots = shots
        self.shotSize = shotSize
        self.columns = max(1, columns)
    }

    public var sources: Set<String> { shots.reduce(into: []) { $0.formUnion($1.slice.sources) } }

    /// Of the whole sheet.
    public var size: FrameSize {
        let across = min(columns, max(1, shots.count))
        let down = max(1, (shots.count + columns - 1) / columns)
        return FrameSize(
            width: across * (shotSize.width + PictureSheet.gap) - PictureSheet.gap,
            height: down * (shotSize.height + PictureSheet.gap) - PictureSheet.gap)
    }

    /// Where a shot stands on the sheet.
    public func rect(ofShot index: Int) -> PixelRect {
        PixelRect(
            x: index % columns * (shotSize.width + PictureSheet.gap),
            y: index / columns * (shotSize.height + PictureSheet.gap), width: shotSize.width, height: shotSize.height)
    }
}
