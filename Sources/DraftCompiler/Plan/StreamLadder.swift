import DraftModel
import ExactTime
import ExportPlan

/// The renditions of a stream. All are made of the same composed pictures in one job, so that a frame is decoded and
/// composed once, and have keyframes at the same frames.
enum StreamLadder {
    /// The time between keyframes of all renditions unless the settings say another, in seconds. Apple's "HLS Authoring
    /// Specification" (1.10) asks for two seconds.
    static let keyframeInterval = Rational(2)

    /// The shorter sides of the renditions below that of the film, in pixels. A rendition that is nearly as large as the film
    /// would be of no use.
    private static let usualSides = [1440, 1080, 720, 480, 360]

    /// The sizes of the renditions, the largest first.
    static func sizes(_ canvas: FrameSize, _ settings: ExportSettings) -> [FrameSize] {
        let own = canvas.shorterSide
        let sides = settings.renditions ?? [own] + usualSides.filter { $0 * 5 <= own * 4 }
        return sides.map { side in
            guard side != own else { return canvas }
            let scale = Double(side) / Double(own)
            return FrameSize(evenlyAround: Double(canvas.width) * scale, Double(canvas.height) * scale)
        }
    }

    /// Gives a stream its renditions.
    static func apply(to format: inout OutputFormat, _ canvas: FrameSize, _ settings: ExportSettings) {
        guard settings.isStream, let encode = format.video else { return }
        let plan = StreamPlan(renditions: sizes(canvas, settings), keyframeSpacing: encode.maxKeyframeInterval)
        format.stream = plan
        format.video?.renditions = plan.renditions
        format.video?.keyframeSpacing = plan.keyframeSpacing
    }
}

/// Reports renditions that are larger than the film.
func checkRenditions(_ composition: Composition, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    let own = composition.canvas.shorterSide
    guard let largest = settings.renditions?.first, largest > own else { return }
    diagnostics.report(
        "settings.renditions", .outOfRange,
        "has a rendition of \(largest) pixels, and the film has \(composition.canvas); none may be larger than \(own)")
}
