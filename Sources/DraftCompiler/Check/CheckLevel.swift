import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Reports a level that is none of the codec's, or that is too low for the film's size and rate.
func checkLevel(_ composition: Composition, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    guard let wanted = settings.level, let codec = settings.decidedVideoCodec else { return }
    let level = (wanted * Rational(10)).rounded
    func text(_ level: Int) -> String { "\(level / 10).\(level % 10)" }
    let levels = CodecLevel.levels(of: codec)
    guard Rational(level) == wanted * Rational(10), levels.contains(level) else {
        diagnostics.report(
            "settings.level", .conflict,
            levels.isEmpty
                ? "belongs to h264 and hevc, and the film's codec is \(codec.rawValue); leave it out"
                : "\(wanted.doubleValue) is not a level of \(codec.rawValue): \(levels.map(text).joined(separator: ", "))")
        return
    }
    let largest = settings.isStream ? StreamLadder.sizes(composition.canvas, settings)[0] : composition.canvas
    let needed = CodecLevel.level(
        codec, largest, composition.frameRate, speed: (settings.encoderSpeed ?? .medium).rawValue,
        bitrate: settings.videoBitrate ?? 0)
    guard let needed, needed > level else { return }
    diagnostics.report(
        "settings.level", .conflict,
        "\(text(level)) is too low for \(largest) at \(composition.frameRate) a second"
            + "\(settings.videoBitrate.map { " and \($0) bits a second" } ?? ""), with the reference frames of the encoderSpeed; give "
            + "\(text(needed)), or a smaller film")
}
