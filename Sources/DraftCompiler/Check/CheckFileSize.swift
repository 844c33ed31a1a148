import DraftModel
import ExactTime
import ExportPlan

/// Reports a greatest size that leaves too little for the pictures.
func checkFileSize(
    _ composition: Composition, _ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics
) {
    let format = OutputFormat(settings: settings, draft: draft, frameRate: composition.frameRate, facts: [:])
    guard let plan = FileSizePlan(composition, format), plan.videoBitrate < FileSizePlan.leastBitrate else { return }
    let seconds = composition.frameRate.time(ofFrame: composition.frameCount).seconds
    let least = plan.overhead + plan.soundBytes + (seconds * Rational(FileSizePlan.leastBitrate / 8)).ceil
    diagnostics.report(
        "settings.fileSizeLimit", .outOfRange,
        "is too small for \(composition.duration.shortText) s of film, whose sound takes about \(plan.soundBytes) bytes; give at "
            + "least \(least), or a lower audioBitrate")
}
