package import ExactTime
package import ExportPlan
import DraftModel
package import Vocabulary

extension Composition {
    /// Frames of the film by their numbers, each by itself. What a frame shows does not depend on the segments, so that
    /// its content key stays when something else in the film changes.
    /// - Parameter numbers: 0..<`frameCount`.
    package func singleFrames(_ numbers: [Int]) -> [SingleFrame] {
        let firstFrames = instructions.map { frameRate.frames(in: $0.timeRange).lowerBound }
        return numbers.compactMap { number in
            firstFrames.lastSortedIndex { $0 <= number }.map { singleFrame(number, of: instructions[$0]) }
        }
    }

    private func singleFrame(_ number: Int, of instruction: Instruction) -> SingleFrame {
        let shown = TimeRange(start: frameRate.time(ofFrame: number), duration: frameRate.time(ofFrame: 1))
        let own = TimeRange(start: .zero, duration: shown.duration)
        let layers = instruction.layers.filter { $0.timeRange.map { !$0.intersection(shown).isEmpty } ?? true }
        return SingleFrame(
            canvas: canvas, frameRate: frameRate,
            instruction: Instruction(
                timeRange: own, layers: layers.compactMap { $0.shifted(by: -shown.start).restricted(to: own) }))
    }

    /// The number of the frame that is shown at a time, in seconds; nil where the film has none there.
    package func frame(at time: Rational) -> Int? {
        let frame = (time * frameRate.framesPerSecond).floor
        return (0..<frameCount).contains(frame) ? frame : nil
    }

    /// Sprites have to end when the film does, so they are counted by its frames.
    fileprivate var length: MediaTime { frameRate.time(ofFrame: frameCount) }
}

extension PicturePlan {
    /// The plan of a picture file, with its content key.
    package init(_ sheet: ContactSheet, as fileType: PictureFileType) {
        self.init(key: contentKey("picture", PictureContent(sheet: sheet, fileType: fileType)), sheet: sheet, fileType: fileType)
    }
}

/// The pictures beside a film that the settings ask for; nil for none.
func planPictures(_ composition: Composition, _ settings: ExportSettings) -> FilmPicturesPlan? {
    let poster = settings.posterTime.flatMap { composition.frame(at: $0) }.map { frame in
        PicturePlan(
            ContactSheet(frames: composition.singleFrames([frame]), frameSize: composition.canvas), as: FilmPictures.fileType)
    }
    let sprites = SpriteIndex(composition, settings).map { index in
        SpritesPlan(sheets: (0..<index.sheetCount).map { sheet($0, of: index, composition) }, index: index)
    }
    return poster == nil && sprites == nil ? nil : FilmPicturesPlan(poster: poster, sprites: sprites)
}

private func sheet(_ number: Int, of index: SpriteIndex, _ composition: Composition) -> PicturePlan {
    let frames = index.sprites(ofSheet: number).compactMap { composition.frame(at: index.time(ofSprite: $0)) }
    return PicturePlan(
        ContactSheet(
            frames: composition.singleFrames(frames), frameSize: FrameSize(width: index.width, height: index.height),
            columns: SpriteIndex.columns, gap: 0),
        as: FilmPictures.fileType)
}

extension SpriteIndex {
    /// - Returns: nil where the settings ask for no sprites.
    init?(_ composition: Composition, _ settings: ExportSettings) {
        guard let interval = settings.spriteInterval else { return nil }
        let canvas = composition.canvas
        let size = FrameSize(
            evenlyAround: Double(settings.spriteWidth ?? ExportSettings.usualSpriteWidth),
            Double(settings.spriteWidth ?? ExportSettings.usualSpriteWidth) * Double(canvas.height) / Double(canvas.width))
        self.init(interval: interval, duration: composition.length, width: size.width, height: size.height)
    }
}

/// Reports a poster outside the film, and more or larger sprites than an export may have.
func checkPictures(_ composition: Composition, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    if let time = settings.posterTime, composition.frame(at: time) == nil {
        diagnostics.report(
            "settings.posterTime", .outOfRange, "is \(time) s, and the film ends at \(composition.duration.shortText) s")
    }
    guard let sprites = SpriteIndex(composition, settings) else { return }
    if sprites.count > DraftLimits.sprites {
        diagnostics.report(
            "settings.spriteInterval", .outOfRange,
            "makes \(sprites.count) sprites of a film of \(composition.duration.shortText) s; it may make \(DraftLimits.sprites)")
    }
    if sprites.height > DraftLimits.spriteHeight {
        diagnostics.report(
            "settings.spriteWidth", .outOfRange,
            "makes sprites of \(sprites.width)x\(sprites.height) of a film of \(composition.canvas); "
                + "they may be \(DraftLimits.spriteHeight) pixels high")
    }
}

private struct PictureContent: Encodable {
    var sheet: ContactSheet
    var fileType: PictureFileType
}
