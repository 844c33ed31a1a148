public import ExportPlan

/// A job with the directory of the artifact store that it reads from and writes to.
public struct RenderOrder: Hashable, Sendable, Codable {
    public var job: RenderJob
    public var store: String
    /// The `rendererVersion` that the job was planned for; another renderer refuses it.
    public var renderer: Int
    /// Which of a process's orders it is, from 1: the answers name it.
    public var number: Int
    /// A file that has to be there before the store is opened: where it is missing, the shared directory is not mounted, and a
    /// directory that is made in its place would swallow the artifacts. Nil where the store may be created.
    public var marker: String?

    public init(
        _ job: RenderJob, store: String, renderer: Int = rendererVersion, number: Int = 1, marker: String? = nil
    ) {
        self.job = job
        self.store = store
        self.renderer = renderer
        self.number = number
        self.marker = marker
    }

    /// - Throws: `JobFailure`, class `environment`, when this is not the renderer that it is meant for.
    public func checkRenderer() throws {
        guard renderer != rendererVersion else { return }
        throw JobFailure(
            .environment, subject: "spool-render",
            message: "is version \(rendererVersion), the job is for version \(renderer); install one version of spool everywhere")
    }
}
