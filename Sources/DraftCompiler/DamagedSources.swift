public import DraftModel
import ExactTime
public import ExportPlan

/// Where a draft plays its sources, and what it calls them: with this, what rendering found in the sources is told in the draft's own terms,
/// at every clip that shows it. A farm keeps it beside the export, whose draft it does not compile again.
public struct SourcePlaces: Hashable, Sendable, Codable {
    /// A place of a draft that names a source.
    public struct Place: Hashable, Sendable, Codable {
        /// As in `mainTrackClips[2].url`.
        public var path: String
        public var name: String
        /// What plays of the source, in seconds of it; nil is all.
        public var start: Double?
        public var end: Double?

        public init(path: String, name: String, start: Double? = nil, end: Double? = nil) {
            self.path = path
            self.name = name
            self.start = start
            self.end = end
        }

        fileprivate func plays(_ warning: SourceWarning) -> Bool {
            let last = warning.end ?? warning.time
            // Sound goes on at its end, a picture still stands there.
            let isOver = start.map { warning.code == .damagedSound && last > warning.time ? last <= $0 : last < $0 } ?? false
            return !isOver && end.map { warning.time < $0 } ?? true
        }
    }

    /// By content hash, in the order of the draft.
    private var places: [String: [Place]]

    public init(_ places: [String: [Place]] = [:]) { self.places = places }

    /// - Parameter facts: by location, as the draft writes it.
    public init(of draft: Draft, facts: [String: SourceFacts]) {
        let ranges = SourcePlaces.ranges(of: draft)
        places = [:]
        for use in SourceUse.all(in: draft) where use.isFile {
            guard let hash = facts[use.url]?.contentHash else { continue }
            let range = ranges[use.path]
            places[hash, default: []].append(
                Place(
                    path: use.path, name: use.name, start: range?.start.seconds.doubleValue, end: range?.end.seconds.doubleValue))
        }
    }

    /// - Parameter warnings: of the export's jobs.
    /// - Returns: warnings in the order of the given ones, each at every place of the draft that plays a part of what it is about.
    public func diagnostics(of warnings: [SourceWarning]) -> [DraftDiagnostic] {
        warnings.flatMap { warning in
            let all = places[warning.source] ?? []
            let playing = all.filter { $0.plays(warning) }
            // Decoding begins before a range does: damage there is told at the first place. What a file lacks is not decoded.
            let isMissing = [.missingPictures, .missingSound].contains(warning.code)
            return (playing.isEmpty && !isMissing ? Array(all.prefix(1)) : playing).map { place in
                DraftDiagnostic(warning, path: place.path, name: place.name)
            }
        }
    }

    /// What of their sources clips and layers play, by the place that names the source; those that play all of it are left out.
    private static func ranges(of draft: Draft) -> [String: TimeRange] {
        var ranges: [String: TimeRange] = [:]
        for (index, clip) in draft.mainTrackClips.enumerated() { ranges["mainTrackClips[\(index)].url"] = clip.timeRange }
        for (index, clip) in (draft.audioClips ?? []).enumerated() { ranges["audioClips[\(index)].url"] = clip.timeRange }
        forEachLayer(draft.layers ?? []) { layer, path in ranges["\(path).source.url"] = layer.source?.timeRange }
        return ranges
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            places = try container.decode([String: [Place]].self)
        } catch {
            // Exports that an earlier version planned have one place for each source.
            places = try container.decode([String: Place].self).mapValues { [$0] }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(places)
    }
}

extension Compiler {
    /// What rendering found in the sources, at the clips that show it.
    /// - Parameter warnings: of the export's jobs.
    public func diagnostics(of warnings: [SourceWarning], in draft: Draft) -> [DraftDiagnostic] {
        warnings.isEmpty ? [] : SourcePlaces(of: draft, facts: facts).diagnostics(of: warnings)
    }
}
