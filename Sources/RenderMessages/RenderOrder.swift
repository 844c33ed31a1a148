public import ExportPlan

/// A job with the directory of the artifact store that it reads from and writes to.
public struct RenderOrder: Hashable, Sendable, Codable {
    public var job: RenderJob
    public var store: String
    /// The `rendererVersion` that the job was planned for; another renderer refuses it.
    public var renderer: Int

    public init(_ job: RenderJob, store: String, renderer: Int = rendererVersion) {
        self.job = job
        self.store = store
        self.renderer = renderer
    }

    /// - Throws: `JobFailure`, class `environment`, when this is not the renderer that it is meant for.
    public func checkRenderer() throws {
        guard renderer != rendererVersion else { return }
        throw JobFailure(
            .environment, subject: "spool-render",
            message: "is version \(rendererVersion), the job is for version \(renderer); install one version of spool everywhere")
    }
}
