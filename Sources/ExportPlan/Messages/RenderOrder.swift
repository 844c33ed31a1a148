/// A job and the directory of the artifact store that it reads and writes.
package struct RenderOrder: Hashable, Sendable, Codable {
    package var job: RenderJob
    package var store: String
    /// The `rendererVersion` that the job was planned for; other renderers refuse it.
    package var renderer: Int
    /// The number of the order to its process, counted from 1; answers contain it.
    package var number: Int
    /// A file that has to exist before the store is opened. Where it is missing, the shared directory is not mounted,
    /// and artifacts would be written to a local directory in its place. Nil where the store may be created.
    package var marker: String?
    /// Whether artifacts that the job reads may come while it runs. The sender of the order ends the process where one cannot
    /// be had. Nil means no, as in orders of a worker that an upgrade has not replaced yet.
    package var awaitsArtifacts: Bool?
    /// The directories and files outside the store that a sandboxed process may read for this order and those that follow; nil
    /// where the process is not in a sandbox.
    package var readable: [String]?
    /// The most threads that decode a source of the job; nil for one. Results are the same whatever their number.
    package var decoderThreads: Int?
    /// Which file system the store lies on now, where the process is in a sandbox: such a process keeps what was mounted when
    /// it began.
    package var fileSystem: String?

    package init(
        _ job: RenderJob, store: String, renderer: Int = rendererVersion, number: Int = 1, marker: String? = nil,
        awaitsArtifacts: Bool? = nil, readable: [String]? = nil, fileSystem: String? = nil, decoderThreads: Int? = nil
    ) {
        self.readable = readable
        self.fileSystem = fileSystem
        self.decoderThreads = decoderThreads
        self.job = job
        self.store = store
        self.renderer = renderer
        self.number = number
        self.marker = marker
        self.awaitsArtifacts = awaitsArtifacts
    }

    /// Whether a process that was made for another order may get this one: a sandboxed process has the files of one tenant.
    package func hasFiles(of other: RenderOrder) -> Bool {
        store == other.store && readable == other.readable && marker == other.marker && fileSystem == other.fileSystem
    }

    /// - Throws: `JobFailure`, class `environment`, when the job was planned for another version of the renderer.
    package func checkRenderer() throws {
        guard renderer != rendererVersion else { return }
        throw JobFailure(
            .environment, subject: "spool-render",
            message: "is version \(rendererVersion), the job is for version \(renderer); install one version of spool everywhere")
    }
}
