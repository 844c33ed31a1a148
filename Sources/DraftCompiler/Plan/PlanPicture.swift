package import DraftModel
import ExactTime
package import ExportPlan
import Vocabulary

/// The picture that an export makes instead of a film.
extension Compiler {
    /// Runs all passes for a picture.
    /// - Parameters:
    ///   - wanted: the picture.
    ///   - reported: as for `compile`.
    /// - Throws: `DraftError` with all diagnostics if one of them is an error.
    package func picture(
        _ draft: Draft, _ wanted: PictureSettings, reported: [DraftDiagnostic] = []
    ) throws -> (plan: PicturePlan, warnings: [DraftDiagnostic]) {
        let (composition, warnings) = try compose(draft, reported: reported)
        return (PicturePlan(composition.sheet(wanted), as: wanted.fileType), warnings)
    }
}

extension Composition {
    /// The middle frames of `count` equal parts of the film; fewer where the range has fewer frames.
    /// - Parameter range: the numbers of the frames that are spread over, which is not empty; nil for the whole film.
    package func spreadFrames(_ count: Int, over range: Range<Int>? = nil) -> [Int] {
        let range = range ?? 0..<frameCount
        let parts = min(count, range.count)
        return (0..<parts).map { range.lowerBound + (2 * $0 + 1) * range.count / (2 * parts) }
    }

    fileprivate func sheet(_ wanted: PictureSettings) -> ContactSheet {
        let (numbers, columns, usual) =
            switch wanted.frames {
            case .time(let time): ([frame(at: time)].compactMap(\.self), 1, canvas)
            case .spread(let count, let columns): (spreadFrames(count), columns, ContactSheet.usualFrameSize(of: canvas))
            }
        let size =
            switch wanted.size {
            case .usual: usual
            case .exactly(let width, let height): FrameSize(width: width, height: height)
            case .atMost(let width, let height): canvas.scaledDown(to: FrameSize(width: width, height: height))
            }
        return ContactSheet(frames: singleFrames(numbers), frameSize: size, fit: wanted.fit.scalingMode, columns: columns)
    }
}

/// Reports a frame outside the film, and a picture that is larger than its type allows.
func checkPicture(_ composition: Composition, _ wanted: PictureSettings, _ diagnostics: inout Diagnostics) {
    if case .time(let time) = wanted.frames, composition.frame(at: time) == nil {
        diagnostics.report(
            "settings.frameTime", .outOfRange, "is \(time) s, and the film ends at \(composition.duration.shortText) s")
    } else if let complaint = composition.sheet(wanted).complaint(as: wanted.fileType) {
        let place = if case .time = wanted.frames { "frameTime" } else { "sheetCount" }
        diagnostics.report("settings.\(place)", .outOfRange, complaint)
    }
}
