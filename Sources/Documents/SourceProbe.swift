public import ExportPlan
public import Media

/// Finds out about any source: lookup tables and captions, told by how they begin, are read here; everything else is media.
public enum SourceProbe {
    /// - Parameters:
    ///   - limit: how long it may take by the clock; nil for as long as it takes.
    ///   - progress: told the number of pieces read so far, rising.
    /// - Throws: `MediaError` that says what is wrong with the file, of a text with the line.
    public static func facts(
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
