package import ExportPlan
package import FarmAPI
package import JobQueue
package import FoundationEssentials

/// What the leader has learned of the times that jobs take, by the class of the machine: workers' statuses and reports
/// go in, coefficients for predictions come out.
///
/// Workers say themselves what their machine is, so the number of classes is bounded: a new one takes the place of the
/// class that was not used for the longest time and has no worker any more. Where all have workers, new ones are counted
/// together, as `other`.
package struct FarmCostModel: Sendable {
    /// How many classes of machines are told apart.
    package static let mostMachines = 64
    /// The class of machines beyond that number.
    package static let otherMachine = "other"
    /// The class of workers that do not say what their machine is.
    package static let unknownMachine = "unknown"
    /// How many workers that are gone are remembered, because reports of theirs may be on their way.
    private static let rememberedWorkers = 10_000

    private struct Machine {
        var model = CostModel()
        var usedAt: Date
    }

    /// A worker that is there.
    private struct ServingWorker {
        var machine: String
        var roles: [WorkerRole]
        var pools: [String]
        /// 0 while it takes no jobs.
        var slots: Int
    }

    /// The fit of one class of jobs on one class of machines.
    private struct Place: Hashable {
        var machine: String
        var costClass: CostClass
    }

    /// What has changed since it was stored.
    package struct Changes: Sendable {
        package var models: [StoredCostModel]
        /// Classes of machines that are forgotten. One that came back meanwhile is also among the models.
        package var forgotten: [String]
    }

    private var machines: [String: Machine] = [:]
    private var workers: [String: ServingWorker] = [:]
    private var machineOfWorker: [String: String] = [:]
    private var unsaved: Set<Place> = []
    private var forgotten: Set<String> = []

    package init() {}

    /// The classes of machines of which something is known.
    package var machineNames: Set<String> { Set(machines.keys) }

    package func model(of machine: String) -> CostModel? { machines[machine]?.model }

    // MARK: What goes in

    /// Notes all workers that there are.
    package mutating func note(_ statuses: [WorkerStatus]) {
        if machineOfWorker.count > FarmCostModel.rememberedWorkers { machineOfWorker = [:] }
        workers = [:]
        for status in statuses {
            let machine = FarmCostModel.machine(status.machine)
            machineOfWorker[status.id] = machine
            workers[status.id] = ServingWorker(
                machine: machine, roles: status.roles, pools: status.pools,
                slots: status.takesJobs ? min(max(status.slots, 0), 1024) : 0)
        }
    }

    /// The class that a worker names, in characters that every terminal and database takes.
    private static func machine(_ text: String?) -> String {
        let name = String(decoding: (text ?? "").utf8.filter { (0x20...0x7E).contains($0) }.prefix(96), as: UTF8.self)
        return name.isEmpty ? unknownMachine : name
    }

    /// Learns from the jobs that were rendered with success. Reports of anything else, and those without a measurement,
    /// teach nothing.
    package mutating func learn(_ reports: [JobReport], at now: Date) {
        for report in reports {
            guard let measured = report.measured, case .finished(_, reused: false) = report.outcome else { continue }
            let name = admit(machineOfWorker[report.worker] ?? FarmCostModel.unknownMachine, at: now)
            machines[name, default: Machine(usedAt: now)].model.learn(measured)
            machines[name]?.usedAt = now
            unsaved.insert(Place(machine: name, costClass: measured.features.costClass))
        }
    }

    /// The class under which a machine is counted; room is made for it where possible.
    private mutating func admit(_ name: String, at now: Date) -> String {
        guard machines[name] == nil, name != FarmCostModel.otherMachine else { return name }
        let others = machines.keys.filter { $0 != FarmCostModel.otherMachine }
        guard others.count >= FarmCostModel.mostMachines else { return name }
        let inUse = Set(workers.values.map(\.machine))
        let unused = others.filter { !inUse.contains($0) }.sorted()
        guard let oldest = unused.min(by: { usedAt($0) < usedAt($1) }) else { return FarmCostModel.otherMachine }
        machines[oldest] = nil
        unsaved = unsaved.filter { $0.machine != oldest }
        forgotten.insert(oldest)
        return name
    }

    private func usedAt(_ machine: String) -> Date { machines[machine]?.usedAt ?? .distantPast }

    /// Takes over what an earlier leader stored. Where something was learned of the same already, the fit to more jobs
    /// counts.
    package mutating func adopt(_ stored: [StoredCostModel]) {
        for item in stored.sorted(by: { $0.updatedAt > $1.updatedAt }) {
            let isOther = item.machine == FarmCostModel.otherMachine
            let count = machines.keys.count { $0 != FarmCostModel.otherMachine }
            guard machines[item.machine] != nil || isOther || count < FarmCostModel.mostMachines else {
                forgotten.insert(item.machine)
                continue
            }
            let known = machines[item.machine]?.model.fits[item.costClass]?.jobs ?? 0
            guard item.fit.jobs > known else { continue }
            machines[item.machine, default: Machine(usedAt: item.updatedAt)].model.adopt(item.fit, for: item.costClass)
            unsaved.remove(Place(machine: item.machine, costClass: item.costClass))
        }
    }

    // MARK: What comes out

    /// The coefficients for new jobs of a pool: which worker will do a job is not known yet, so they are the average over
    /// the machines that serve its role there, by their slots. While there is no such worker, machines count by the number
    /// of jobs that were learned from.
    package func table(forPool pool: String) -> CostTable {
        var slots: [String: [WorkerRole: Int]] = [:]
        for worker in workers.values where worker.pools.contains(pool) {
            let name = machines[worker.machine] == nil ? FarmCostModel.otherMachine : worker.machine
            for role in worker.roles { slots[name, default: [:]][role, default: 0] += worker.slots }
        }
        let known = machines.sorted { $0.key < $1.key }
        return CostTable(averaging: known.map(\.value.model)) { index, costClass in
            Double(slots[known[index].key]?[costClass.kind.role] ?? 0)
        }
    }

    // MARK: Storing

    /// Takes what has changed since the last call.
    /// - Returns: nil when nothing has.
    package mutating func takeChanges() -> Changes? {
        guard !unsaved.isEmpty || !forgotten.isEmpty else { return nil }
        defer { (unsaved, forgotten) = ([], []) }
        let models = unsaved.compactMap { place -> StoredCostModel? in
            guard let machine = machines[place.machine], let fit = machine.model.fits[place.costClass] else { return nil }
            return StoredCostModel(machine: place.machine, costClass: place.costClass, fit: fit, updatedAt: machine.usedAt)
        }
        return Changes(
            models: models.sorted { ($0.machine, $0.costClass.name) < ($1.machine, $1.costClass.name) },
            forgotten: forgotten.sorted())
    }

    /// Notes that changes could not be stored.
    package mutating func restore(_ changes: Changes) {
        forgotten.formUnion(changes.forgotten)
        for model in changes.models where machines[model.machine] != nil {
            unsaved.insert(Place(machine: model.machine, costClass: model.costClass))
        }
    }
}
