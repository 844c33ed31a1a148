import ContentHashing
import FarmAPI

/// The artifact lookups of running jobs. Each job has its own, so that comparing a large asset with its hash delays no other
/// job.
struct ArtifactLookups {
    private let configuration: WorkerConfiguration
    private let assets = AssetVerifier()
    private var used: [AttemptID: ArtifactLookup] = [:]
    /// Lookups of jobs that are over, for the next ones.
    private var free: [ArtifactLookup] = []

    init(_ configuration: WorkerConfiguration) { self.configuration = configuration }

    /// The lookup of a job, which has it until `release`.
    mutating func lookup(for attempt: AttemptID) -> ArtifactLookup {
        if let lookup = used[attempt] { return lookup }
        let lookup =
            free.popLast()
            ?? ArtifactLookup(
                configuration.directory, isMirror: configuration.mirror != nil,
                allowedDirectories: configuration.allowedDirectories, owner: configuration.renderUser, assets: assets)
        used[attempt] = lookup
        return lookup
    }

    mutating func release(_ attempt: AttemptID) {
        // A lookup whose thread still waits for storage is of no use to another job.
        if let lookup = used.removeValue(forKey: attempt), lookup.watch.isIdle { free.append(lookup) }
    }
}
