import ExportPlan
import RenderingProcesses

/// Hands out jobs, one after another, and records how each ended.
actor ListFeed: JobFeed {
    private var jobs: [(name: String, order: RenderOrder)]
    private let stopping: Set<String>
    private(set) var outcomes: [String: String] = [:]

    /// Hands out probes of these paths.
    /// - Parameter stopping: the paths whose processes are stopped when they have got their job.
    init(_ paths: [String], stopping: Set<String> = []) {
        self.init(paths.map { ($0, RenderOrder(.probe(path: $0), store: "/nowhere")) }, stopping: stopping)
    }

    init(_ jobs: [(name: String, order: RenderOrder)], stopping: Set<String> = []) {
        self.jobs = jobs
        self.stopping = stopping
    }

    func next() -> Assignment<String>? {
        guard !jobs.isEmpty else { return nil }
        let job = jobs.removeFirst()
        return Assignment(job.name, job.order)
    }

    func started(_ path: String, stop: @escaping @Sendable () -> Void) {
        if stopping.contains(path) { stop() }
    }

    func progress(_ path: String, done: Int) {}

    func ended(_ path: String, _ outcome: JobOutcome, log: String) {
        switch outcome {
        case .finished: outcomes[path] = "finished"
        case .failed(let failure): outcomes[path] = "failed: \(failure)"
        case .died(let death) where death.failureClass == .crash: outcomes[path] = "died: \(death)"
        case .died(let death): outcomes[path] = "died: \(death.failureClass): \(death)"
        }
    }
}
