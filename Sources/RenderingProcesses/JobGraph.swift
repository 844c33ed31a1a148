package import ExportPlan

/// Jobs and their dependencies, as a pure state machine that decides which job is next.
///
/// Moves: `take` hands out the heaviest job whose dependencies are done and that fits into memory beside the running ones;
/// `finish`, `crash` and `fail` report how it ended.
package struct JobGraph: Sendable {
    /// A job in the graph, identified by its index.
    package struct Node: Sendable {
        package var job: RenderJob
        /// The indexes of jobs that have to be done first.
        package var dependencies: Set<Int>
        /// The relative cost. Heavy jobs go first, so that none of them runs alone at the end.
        package var weight: Int
        /// What the job is predicted to need, from the facts of the sources that it carries.
        package let demand: JobDemand

        package init(_ job: RenderJob, after dependencies: Set<Int> = [], weight: Int = 0) {
            let facts = job.references.map { ($0.facts.name, $0.facts) }
            demand = DemandPrediction(facts: Dictionary(facts) { first, _ in first }).demand(of: job)
            self.job = job
            self.dependencies = dependencies
            self.weight = weight
        }
    }

    private enum State { case waiting, running, done }

    package let nodes: [Node]
    private let memory: Int64?
    private var states: [State]
    private var attempts: [Int]
    package private(set) var results: [Int: JobResult] = [:]
    package private(set) var failure: JobFailure?

    /// - Parameter memory: bytes that running jobs may need together by prediction; nil sets no limit. A job that needs
    ///   more than that runs alone.
    package init(_ nodes: [Node], memory: Int64? = nil) {
        self.nodes = nodes
        self.memory = memory
        states = Array(repeating: .waiting, count: nodes.count)
        attempts = Array(repeating: 0, count: nodes.count)
    }

    /// Whether no further job will be handed out.
    package var isOver: Bool { failure != nil || states.allSatisfy { $0 == .done } }

    /// How many of the processors the job that was taken may use: more than one where fewer jobs than processors are left
    /// that decode pictures. A job whose process has died, perhaps for want of memory, and a large job get one.
    package func share(of processors: Int, for job: Int) -> Int {
        guard attempts[job] == 1, memory.map({ nodes[job].demand.memory <= $0 / 2 }) ?? true else { return 1 }
        let left = nodes.indices.count { states[$0] != .done && nodes[$0].job.decodesPictures }
        return max(1, processors / max(1, left))
    }

    /// The next job, which is running from now on; nil when none is ready.
    package mutating func take() -> Int? {
        guard failure == nil else { return nil }
        let room = self.room
        let ready = nodes.indices.filter { index in
            states[index] == .waiting && nodes[index].demand.memory <= room
                && nodes[index].dependencies.allSatisfy { states[$0] == .done }
        }
        guard let next = ready.max(by: { (nodes[$0].weight, -$0) < (nodes[$1].weight, -$1) }) else { return nil }
        states[next] = .running
        attempts[next] += 1
        return next
    }

    /// Bytes that the next job may need.
    private var room: Int64 {
        let running = nodes.indices.filter { states[$0] == .running }
        guard let memory, !running.isEmpty else { return .max }
        return running.reduce(memory) { $0 - nodes[$1].demand.memory }
    }

    package mutating func finish(_ index: Int, _ result: JobResult) {
        states[index] = .done
        results[index] = result
    }

    /// Reports that the job's process died: the job gets another attempt, or the whole graph fails.
    package mutating func crash(_ index: Int, _ reason: String) {
        if attempts[index] < RetryPolicy.attempts(.crash) {
            states[index] = .waiting
        } else {
            let times = "\(attempts[index]) times"
            let message = "a rendering process died \(times) on the same job\(nodes[index].job.pluginNote): \(reason)"
            fail(JobFailure(.crash, subject: "", message: message))
        }
    }

    /// Reports a failure; only the first one counts.
    package mutating func fail(_ failure: JobFailure) {
        if self.failure == nil { self.failure = failure }
    }
}
