public import DraftModel
import ExactTime
public import ExportPlan

/// What rendering found in the sources, told in the draft's own terms: at the clip that shows it, with the source's name and time.
extension Compiler {
    /// - Parameter warnings: of the export's jobs.
    /// - Returns: warnings in the order of the given ones, each at every place of the draft that plays that time of the source.
    public func diagnostics(of warnings: [SourceWarning], in draft: Draft) -> [DraftDiagnostic] {
        guard !warnings.isEmpty else { return [] }
        let uses = SourceUse.all(in: draft).filter(\.isFile)
        let ranges = Compiler.ranges(of: draft)
        return warnings.flatMap { warning in
            let all = uses.filter { facts[$0.url]?.contentHash == warning.source }
            let playing = all.filter { use in
                guard let range = ranges[use.path] else { return true }
                return warning.time >= range.start.seconds.doubleValue && warning.time < range.end.seconds.doubleValue
            }
            // Decoding begins before a range does: damage there is told at the first place.
            return (playing.isEmpty ? Array(all.prefix(1)) : playing).map { use in
                DraftDiagnostic(warning, path: use.path, name: use.name)
            }
        }
    }

    /// What of their sources clips play, by the place that names the source; clips that play all of it are left out.
    private static func ranges(of draft: Draft) -> [String: TimeRange] {
        var ranges: [String: TimeRange] = [:]
        for (index, clip) in draft.mainTrackClips.enumerated() { ranges["mainTrackClips[\(index)].url"] = clip.timeRange }
        for (index, clip) in (draft.audioClips ?? []).enumerated() { ranges["audioClips[\(index)].url"] = clip.timeRange }
        return ranges
    }
}
