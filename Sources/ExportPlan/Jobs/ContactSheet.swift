package import ExactTime
package import Vocabulary

/// One frame of a film by itself, with times counted from the frame's own.
package struct SingleFrame: Hashable, Sendable, Codable {
    package var canvas: FrameSize
    package var frameRate: FrameRate
    package var instruction: Instruction

    package init(canvas: FrameSize, frameRate: FrameRate, instruction: Instruction) {
        self.canvas = canvas
        self.frameRate = frameRate
        self.instruction = instruction
    }

    package var sources: Set<String> {
        instruction.layers.reduce(into: []) { $0.formUnion($1.sources) }
    }
}

/// Frames of a film, tiled in rows from the top left: a contact sheet, or a single picture if there is only one frame.
package struct ContactSheet: Hashable, Sendable, Codable {
    /// The most pixels of a sheet: one frame of the largest size, 1 GiB of memory.
    package static let mostPixels = 16_384 * 16_384
    /// Pixels between neighbouring frames on a sheet for people.
    package static let usualGap = 4

    package var frames: [SingleFrame]
    /// The size of each frame on the sheet, in pixels.
    package var frameSize: FrameSize
    /// How a frame of another shape is fitted into `frameSize`. What it does not cover is black.
    package var fit: ScalingMode
    /// Frames in a row, at least 1.
    package var columns: Int
    /// Pixels between neighbouring frames, at least 0.
    package var gap: Int

    package init(
        frames: [SingleFrame], frameSize: FrameSize, fit: ScalingMode = .fill, columns: Int = 1, gap: Int = ContactSheet.usualGap
    ) {
        self.frames = frames
        self.frameSize = frameSize
        self.fit = fit
        self.columns = max(1, columns)
        self.gap = max(0, gap)
    }

    package var sources: Set<String> { frames.reduce(into: []) { $0.formUnion($1.sources) } }

    /// The size of the whole sheet, in pixels.
    package var size: FrameSize {
        let across = min(columns, max(1, frames.count))
        let down = max(1, (frames.count + columns - 1) / columns)
        return FrameSize(
            width: across * (frameSize.width + gap) - gap, height: down * (frameSize.height + gap) - gap)
    }

    /// The size of a frame on a sheet of many where none is asked for: 320 pixels wide, with the film's shape.
    package static func usualFrameSize(of canvas: FrameSize) -> FrameSize {
        FrameSize(width: 320, height: max(1, (640 * canvas.height / canvas.width + 1) / 2))
    }

    /// The reason for which the sheet cannot be a file of this type, as words for a message; nil where it can be one. The
    /// number of pixels is limited, because the whole sheet is in memory with 4 bytes for each.
    package func complaint(as type: PictureFileType) -> String? {
        guard max(size.width, size.height) > type.longestSide else {
            guard size.width * size.height > ContactSheet.mostPixels else { return nil }
            return
                "a picture has at most \(ContactSheet.mostPixels) pixels, and this one would have \(size); ask for a smaller one"
        }
        return "a \(type.rawValue) picture has sides of at most \(type.longestSide) pixels, and this one would have \(size); "
            + "ask for a smaller one"
    }

    /// The rectangle of a frame on the sheet.
    package func rect(ofFrame index: Int) -> PixelRect {
        PixelRect(
            x: index % columns * (frameSize.width + gap), y: index / columns * (frameSize.height + gap),
            width: frameSize.width, height: frameSize.height)
    }
}
