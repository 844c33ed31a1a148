import ArtifactStore
import DraftCompiler
import ExportPlan
import RenderingProcesses
import Vocabulary

/// How long an export would take on this machine, as `spool plan` prints it.
struct PlanPrediction: Encodable {
    /// A job that has to run.
    struct Job: Encodable {
        var kind: JobKind
        var key: ArtifactKey
        /// Predicted time in one rendering process.
        var seconds: Double
    }

    /// What the predictions were made with: `builtIn`, or `fitted` to jobs of this machine.
    let model: String
    /// The number of jobs of this machine that were learned from.
    let fittedTo: Int
    /// The class of this machine.
    let machine: String
    /// Rendering processes at a time.
    let processes: Int
    /// The seconds of all jobs together.
    let work: Double
    /// The seconds until the film is there, with the jobs in the order of a local export.
    let seconds: Double
    /// In the order in which they would start if none waited for another.
    let jobs: [Job]

    /// - Parameter exists: whether an artifact is there already.
    init(_ prepared: DraftPreparation, processes: Int, where exists: (ArtifactKey) throws -> Bool) throws {
        let learned = prepared.costs.model
        let planned = prepared.plan.jobs(predictedBy: learned.table, facts: prepared.compiler.facts.values.byName)
        let schedule = try LocalSchedule(planned, where: exists)
        fittedTo = learned.jobs
        model = learned.jobs > 0 ? "fitted" : "builtIn"
        machine = MachineClass.ofThisMachine
        self.processes = processes
        jobs = schedule.jobs.map { Job(kind: $0.kind, key: $0.key, seconds: PlanPrediction.rounded($0.weight)) }
        work = PlanPrediction.rounded(schedule.jobs.reduce(0) { $0 + $1.weight })
        seconds = PlanPrediction.rounded(schedule.seconds(slots: processes))
    }

    /// To milliseconds; more would promise too much.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    /// The predicted times of the jobs that have to run, as text by key.
    var phrases: [ArtifactKey: String] {
        Dictionary(jobs.map { ($0.key, Phrase.seconds($0.seconds)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The whole prediction as one line.
    var line: String {
        let source =
            fittedTo == 0
            ? "by the built-in model" : "by a model fitted to \(fittedTo) job\(fittedTo == 1 ? "" : "s") of this machine"
        let slots = "\(processes) process\(processes == 1 ? "" : "es")"
        return "time   \(Phrase.seconds(seconds)) with \(slots), \(Phrase.seconds(work)) of work; predicted \(source)"
    }
}

/// A plan as JSON with its prediction.
struct WithPrediction<Value: Encodable>: Encodable {
    private let value: Value
    private let prediction: PlanPrediction

    /// - Parameter value: a value whose JSON is an object.
    init(_ value: Value, _ prediction: PlanPrediction) {
        self.value = value
        self.prediction = prediction
    }

    private enum CodingKeys: String, CodingKey { case prediction }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(prediction, forKey: .prediction)
    }
}

extension DraftPreparation {
    /// What this machine's exports have taught about the times that jobs take.
    var costs: LocalCosts { LocalCosts(directory: store.directory + "/costs") }
}
