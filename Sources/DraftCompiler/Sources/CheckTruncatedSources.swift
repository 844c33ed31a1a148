import DraftModel
import ExactTime
import ExportPlan

/// Warns where a draft plays a part that a truncated file lacks. Such a file ends before its container says so; it
/// plays as far as it goes, as in video players.
func warnOfTruncatedSources(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    var seen: Set<String> = []
    var warnings: [SourceWarning] = []
    for use in SourceUse.kept(in: draft) where use.isFile {
        guard let found = facts[use.key], seen.insert(found.name).inserted else { continue }
        warnings += found.missing
    }
    guard !warnings.isEmpty else { return }
    for diagnostic in SourcePlaces(of: draft, facts: facts).diagnostics(of: warnings) { diagnostics.add(written: diagnostic) }
}

extension SourceFacts {
    /// The pictures and the sound that the container promises and the file lacks.
    fileprivate var missing: [SourceWarning] {
        var found: [SourceWarning] = []
        if let video, let promised = video.declaredDuration, promised > video.duration {
            let count = ((promised - video.duration).seconds * video.frameRate.framesPerSecond).rounded
            found.append(
                SourceWarning(
                    .missingPictures, source: contentHash, from: video.duration.doubleValue, to: promised.doubleValue,
                    count: max(1, count)))
        }
        if let audio, let promised = audio.declaredDuration, promised > audio.duration {
            let count = ((promised - audio.duration).seconds * Rational(audio.sampleRate)).rounded
            found.append(
                SourceWarning(
                    .missingSound, source: contentHash, from: audio.duration.doubleValue, to: promised.doubleValue,
                    count: max(1, count)))
        }
        return found
    }
}
