package import ExportPlan

/// The artifacts that a film is joined from, while it is rendered and for some time afterwards.
package struct FilmParts: Hashable, Sendable {
    /// The job that joins the film, with the plan of it.
    package var stitch: RenderJob
    /// The artifacts of the export's jobs that are done.
    package var done: Set<ArtifactKey>

    package init(stitch: RenderJob, done: Set<ArtifactKey>) {
        self.stitch = stitch
        self.done = done
    }
}
