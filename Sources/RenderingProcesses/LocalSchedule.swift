package import ExportPlan

/// The jobs of a local export that have to run, and the order in which they run: sound first, so that it is encoded while
/// pictures are rendered; then pictures, long segments first; then the stitch.
package struct LocalSchedule: Sendable {
    /// The jobs, of which those of a kind wait for all jobs of the kinds that it needs.
    package private(set) var jobs: [PlannedJob] = []
    /// The indexes of the jobs by kind.
    private var places: [JobKind: [Int]] = [:]
    /// How many artifacts were looked for and found.
    package let reused: Int

    /// - Parameters:
    ///   - planned: the jobs of one plan.
    ///   - exists: whether an artifact exists.
    package init(_ planned: [PlannedJob], where exists: (ArtifactKey) throws -> Bool) rethrows {
        let needed = try NeededJobs(planned, where: exists)
        reused = needed.found
        for job in planned.filter(\.isSound) + planned.filter({ !$0.isSound }) where needed.contains(job) {
            places[job.kind, default: []].append(jobs.count)
            jobs.append(job)
        }
    }

    /// The graph of the jobs.
    /// - Parameter complete: adds to a job what its plan leaves out.
    func nodes(_ complete: (RenderJob) -> RenderJob) -> [JobGraph.Node] {
        let needs = Dictionary(
            uniqueKeysWithValues: places.keys.map { kind in
                (kind, Set(kind.needs.flatMap { places[$0] ?? [] }))
            })
        return jobs.map { JobGraph.Node(complete($0.work), after: needs[$0.kind] ?? [], weight: $0.localWeight) }
    }

    /// How long the jobs take in all on a number of slots, in seconds, if each takes as long as its weight says. This is
    /// the order of `JobGraph`, with less effort: of each kind that nothing holds up, only the first job is looked at.
    package func seconds(slots: Int) -> Double {
        var queues = places.mapValues { indexes in
            // The last one goes next.
            indexes.sorted { (jobs[$0].localWeight, -$0) < (jobs[$1].localWeight, -$1) }
        }
        var open = places.mapValues(\.count)
        var running: [(end: Double, index: Int)] = []
        var now = 0.0
        while true {
            while running.count < max(1, slots) {
                let ready = JobKind.allCases.filter { kind in kind.needs.allSatisfy { open[$0, default: 0] == 0 } }
                let heads = ready.compactMap { queues[$0]?.last }
                guard let next = heads.max(by: { (jobs[$0].localWeight, -$0) < (jobs[$1].localWeight, -$1) }) else { break }
                queues[jobs[next].kind]?.removeLast()
                running.append((now + jobs[next].weight, next))
            }
            guard let first = running.indices.min(by: { running[$0].end < running[$1].end }) else { return now }
            let done = running.remove(at: first)
            now = done.end
            open[jobs[done.index].kind, default: 0] -= 1
        }
    }
}

extension PlannedJob {
    fileprivate var isSound: Bool { kind == .audio || kind == .soundtrack }

    /// The rank among jobs that are ready at the same time. Soundtracks and an allocation are few jobs for which others
    /// wait, and come before everything else.
    fileprivate var localWeight: Int {
        switch kind {
        case .allocation, .soundtrack: 2_000_000
        case .audio: 1_000_000
        case .probe, .measure, .video, .stitch, .picture: frameCount
        }
    }
}
