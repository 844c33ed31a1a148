/// Frames of a film, tiled in rows from the top left: a contact sheet, or a single picture if there is only one shot.
package struct ContactSheet: Hashable, Sendable, Codable {
    /// One frame of a segment.
    package struct Shot: Hashable, Sendable, Codable {
        package var slice: VideoSlice
        /// The frame's number, counted from the segment's first frame.
        package var frame: Int

        package init(slice: VideoSlice, frame: Int) {
            self.slice = slice
            self.frame = frame
        }
    }

    /// Pixels between neighbouring shots.
    package static let gap = 4

    package var shots: [Shot]
    /// The size of each shot, in pixels.
    package var shotSize: FrameSize
    /// Shots in a row, at least 1.
    package var columns: Int

    package init(shots: [Shot], shotSize: FrameSize, columns: Int = 1) {
        self.shots = shots
        self.shotSize = shotSize
        self.columns = max(1, columns)
    }

    package var sources: Set<String> { shots.reduce(into: []) { $0.formUnion($1.slice.sources) } }

    /// The size of the whole sheet, in pixels.
    package var size: FrameSize {
        let across = min(columns, max(1, shots.count))
        let down = max(1, (shots.count + columns - 1) / columns)
        return FrameSize(
            width: across * (shotSize.width + ContactSheet.gap) - ContactSheet.gap,
            height: down * (shotSize.height + ContactSheet.gap) - ContactSheet.gap)
    }

    /// The rectangle of a shot on the sheet.
    package func rect(ofShot index: Int) -> PixelRect {
        PixelRect(
            x: index % columns * (shotSize.width + ContactSheet.gap),
            y: index / columns * (shotSize.height + ContactSheet.gap), width: shotSize.width, height: shotSize.height)
    }
}
