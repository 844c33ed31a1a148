public import DraftCompiler
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
    /// For the warnings that come up while the sources are decoded.
    public var places: SourcePlaces

    public init(
        jobs: [NewJob], filmKey: ArtifactKey, frameCount: Int, warnings: [DraftDiagnostic] = [],
        places: SourcePlaces = SourcePlaces()
    ) {
        self.jobs = jobs
        self.filmKey = filmKey
        self.frameCount = frameCount
        self.warnings = warnings
        self.places = places
    }
}
