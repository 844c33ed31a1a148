package import DraftCompiler
package import DraftModel
package import ExportPlan
package import FarmAPI

/// The compiler's result for an export: its jobs, and what is known of its film before a frame of it is rendered.
package struct PlannedExport: Hashable, Sendable {
    package var jobs: [PlannedJob]
    package var filmKey: ArtifactKey
    /// The pictures beside the film; nil for none.
    package var pictures: FilmPictures?
    /// Output frames of the film.
    package var frameCount: Int
    /// Warnings for the draft's author.
    package var warnings: [DraftDiagnostic]
    /// Where the draft uses its sources, for the warnings that come up while sources are decoded.
    package var places: SourcePlaces

    package init(
        jobs: [PlannedJob], filmKey: ArtifactKey, frameCount: Int, warnings: [DraftDiagnostic] = [],
        places: SourcePlaces = SourcePlaces(), pictures: FilmPictures? = nil
    ) {
        self.pictures = pictures
        self.jobs = jobs
        self.filmKey = filmKey
        self.frameCount = frameCount
        self.warnings = warnings
        self.places = places
    }
}

/// An export with its plan.
package struct ExportPlanned: Hashable, Sendable {
    package var export: ExportID
    package var plan: PlannedExport

    package init(export: ExportID, plan: PlannedExport) {
        self.export = export
        self.plan = plan
    }
}

/// An export with a probe job for each of its sources.
package struct ExportProbes: Sendable {
    package var export: ExportID
    package var probes: [(location: String, job: PlannedJob)]

    package init(export: ExportID, probes: [(location: String, job: PlannedJob)]) {
        self.export = export
        self.probes = probes
    }
}
