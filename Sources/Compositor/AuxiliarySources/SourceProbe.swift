package import ExportPlan
package import Media

/// Probes a source of any kind. Auxiliary sources, recognised by their first bytes, are read here; everything else is
/// probed as media.
package enum SourceProbe {
    /// - Parameters:
    ///   - limit: how much wall time it may take. Nil for no limit.
    ///   - progress: called with a rising count of the packets and megabytes read so far.
    /// - Throws: `MediaError` that says what is wrong with the file, with the line number if it is a text.
    package static func facts(
        ofFile path: String, within limit: ProbeTimeLimit? = nil, progress: (Int) -> Void = { _ in }
    ) throws(MediaError) -> SourceFacts {
        let file = try SourceFile(path: path)
        if let limit { file.limitTime(limit) }
        if let facts = try Document.facts(of: file) {
            progress(1)
            return facts
        }
        return try Probe.facts(of: file, progress: progress)
    }
}
