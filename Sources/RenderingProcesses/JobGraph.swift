public import ExportPlan

/// Jobs and what they wait for: a pure state machine that says which job is next.
///
/// Moves: `take` hands out the heaviest job whose dependencies are done; `finish`, `retry` and `fail` say how it ended.
public struct JobGraph: Sendable {
    /// A job in the graph, named by its index.
    public struct Node: Sendable {
        public var job: RenderJob
        /// Indexes of jobs that have to be done before.
        public var dependencies: Set<Int>
        /// Relative cost: heavy jobs go first, so that none of them is left over at the end.
        public var weight: Int

        public init(_ job: RenderJob, after dependencies: Set<Int> = [], weight: Int = 0) {
            self.job = job
            self.dependencies = dependencies
            self.weight = weight
        }
    }

    private enum State { case waiting, running, done }

    /// How often a job may take its process with it.
    private static let crashAttempts = 2

    public let nodes: [Node]
    private var states: [State]
    private var attempts: [Int]
    public private(set) var results: [Int: JobResult] = [:]
    public private(set) var failure: JobFailure?

    public init(_ nodes: [Node]) {
        self.nodes = nodes
        states = Array(repeating: .waiting, count: nodes.count)
        attempts = Array(repeating: 0, count: nodes.count)
    }

    /// Whether nothing will ever be taken again.
    public var isOver: Bool { failure != nil || states.allSatisfy { $0 == .done } }

    /// The next job, now running; nil when none is ready.
    public mutating func take() -> Int? {
        guard failure == nil else { return nil }
        let ready = nodes.indices.filter { index in
            states[index] == .waiting && nodes[index].dependencies.allSatisfy { states[$0] == .done }
        }
        guard let next = ready.max(by: { (nodes[$0].weight, -$0) < (nodes[$1].weight, -$1) }) else { return nil }
        states[next] = .running
        attempts[next] += 1
        return next
    }

    public mutating func finish(_ index: Int, _ result: JobResult) {
        states[index] = .done
        results[index] = result
    }

    /// The job's process died: once more, or the whole graph has failed.
    public mutating func crash(_ index: Int, _ reason: String) {
        if attempts[index] < JobGraph.crashAttempts {
            states[index] = .waiting
        } else {
            let message = "a rendering process died twice on the same job\(nodes[index].job.pluginNote): \(reason)"
            fail(JobFailure(.crash, subject: "", message: message))
        }
    }

    /// The first failure counts.
    public mutating func fail(_ failure: JobFailure) {
        if self.failure == nil { self.failure = failure }
    }
}
