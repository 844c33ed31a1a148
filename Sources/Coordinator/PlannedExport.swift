import DraftCompiler
public import DraftModel
public import ExportPlan

/// What the compiler made of an export: its jobs, and what is known of its film before a frame of it is rendered.
public struct PlannedExport: Hashable, Sendable {
    public var jobs: [NewJob]
    public var filmKey: ArtifactKey
    /// Output frames of the film.
    public var frameCount: Int
    /// What the draft's author should know.
    public var warnings: [DraftDiagnostic]
    /// By content hash, for the warnings that come up while the sources are decoded.
    public var places: [String: SourcePlace]

    public init(
        jobs: [NewJob], filmKey: ArtifactKey, frameCount: Int, warnings: [DraftDiagnostic] = [],
        places: [String: SourcePlace] = [:]
    ) {
        self.jobs = jobs
        self.filmKey = filmKey
        self.frameCount = frameCount
        self.warnings = warnings
        self.places = places
    }
}

/// Where a draft uses a source first, and what it calls it.
public struct SourcePlace: Hashable, Sendable, Codable {
    /// As in `mainTrackClips[2].url`.
    public var path: String
    public var name: String

    public init(path: String, name: String) {
        self.path = path
        self.name = name
    }
}

extension [SourceWarning] {
    /// The warnings as the draft's author is told them.
    /// - Parameter places: by content hash; a source that is not among them is named by its hash.
    func diagnostics(_ places: [String: SourcePlace]) -> [DraftDiagnostic] {
        map { warning in
            let place = places[warning.source] ?? SourcePlace(path: "", name: AssetLocation.location(of: warning.source))
            return DraftDiagnostic(warning, path: place.path, name: place.name)
        }
    }
}
