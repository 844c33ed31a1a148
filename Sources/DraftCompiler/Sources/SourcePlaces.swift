package import DraftModel
import ExactTime
package import ExportPlan

/// Where a draft plays its sources, and by which names. It translates warnings about sources into diagnostics at every
/// clip that shows the damage. A farm stores it beside the export, because it does not compile the draft again.
package struct SourcePlaces: Hashable, Sendable, Codable {
    /// A place of a draft that names a source.
    package struct Place: Hashable, Sendable, Codable {
        /// The path in the draft, as in `mainTrackClips[2].url`.
        package var path: String
        /// The id of the clip or layer; nil if it has none.
        package var id: String?
        package var name: String
        /// The range of the source that plays, in seconds of source time; nil means all of it.
        package var start: Double?
        package var end: Double?

        package init(path: String, id: String? = nil, name: String, start: Double? = nil, end: Double? = nil) {
            self.path = path
            self.id = id
            self.name = name
            self.start = start
            self.end = end
        }

        fileprivate func plays(_ warning: SourceWarning) -> Bool {
            let last = warning.end ?? warning.time
            // The end of damaged sound is exclusive. The end of damaged pictures is the time of the last one, so it is
            // inclusive.
            let isOver = start.map { warning.code == .damagedSound && last > warning.time ? last <= $0 : last < $0 } ?? false
            return !isOver && end.map { warning.time < $0 } ?? true
        }
    }

    /// The places by content hash, in the draft's order.
    private var places: [String: [Place]]

    package init(_ places: [String: [Place]] = [:]) { self.places = places }

    /// - Parameter facts: facts by location, as the draft writes it.
    package init(of draft: Draft, facts: [String: SourceFacts]) {
        let ranges = SourcePlaces.ranges(of: draft)
        places = [:]
        for use in SourceUse.kept(in: draft) where use.isFile {
            guard let hash = facts[use.url]?.contentHash else { continue }
            let range = ranges[use.path]
            let path = draft.removed.written(use.path)
            places[hash, default: []].append(
                Place(
                    path: path, id: draft.elementID(at: path), name: use.name, start: range?.start.seconds.doubleValue,
                    end: range?.end.seconds.doubleValue))
        }
    }

    /// - Parameter warnings: the warnings of the export's jobs.
    /// - Returns: the diagnostics in the order of the warnings, one for each place of the draft that plays an affected
    ///   part.
    package func diagnostics(of warnings: [SourceWarning]) -> [DraftDiagnostic] {
        warnings.flatMap { warning in
            let all = places[warning.source] ?? []
            let playing = all.filter { $0.plays(warning) }
            // Decoding begins before the played range, so it can meet damage that no place plays. Such damage is
            // reported at the first place. Missing parts of a file are not decoded, so they are reported only where
            // they are played.
            let isMissing = [.missingPictures, .missingSound].contains(warning.code)
            return (playing.isEmpty && !isMissing ? Array(all.prefix(1)) : playing).map { place in
                var diagnostic = DraftDiagnostic(warning, path: place.path, name: place.name)
                diagnostic.id = place.id
                return diagnostic
            }
        }
    }

    /// The source ranges that clips and layers play, by the path that names the source. Places that play the whole
    /// source are left out.
    private static func ranges(of draft: Draft) -> [String: TimeRange] {
        var ranges: [String: TimeRange] = [:]
        for (index, clip) in draft.mainTrackClips.enumerated() { ranges["mainTrackClips[\(index)].url"] = clip.timeRange }
        for (index, clip) in (draft.audioClips ?? []).enumerated() { ranges["audioClips[\(index)].url"] = clip.timeRange }
        forEachLayer(draft.layers ?? []) { layer, path in ranges["\(path).source.url"] = layer.source?.timeRange }
        return ranges
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            places = try container.decode([String: [Place]].self)
        } catch {
            // Exports that an earlier version planned have only one place for each source.
            places = try container.decode([String: Place].self).mapValues { [$0] }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(places)
    }
}

extension Compiler {
    /// Diagnostics for the damage that rendering found in the sources, at the clips that show it.
    /// - Parameter warnings: the warnings of the export's jobs.
    package func diagnostics(of warnings: [SourceWarning], in draft: Draft) -> [DraftDiagnostic] {
        warnings.isEmpty ? [] : SourcePlaces(of: draft, facts: facts).diagnostics(of: warnings)
    }
}
