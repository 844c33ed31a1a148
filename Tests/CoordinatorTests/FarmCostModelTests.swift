import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("The farm's cost model")
struct FarmCostModelTests {
    private static let begin = Date(timeIntervalSince1970: 1_700_000_000)

    private func worker(
        _ id: String, _ machine: String?, slots: Int = 1, roles: [WorkerRole] = WorkerRole.allCases,
        pools: [String] = ["default"], isDraining: Bool = false
    ) -> WorkerStatus {
        WorkerStatus(
            id: id, host: "here", version: "1", roles: roles, pools: pools, slots: slots, startedAt: Self.begin,
            seenAt: Self.begin, isDraining: isDraining, running: [], machine: machine)
    }

    /// A report of a probe, whose built-in prediction is 0.2 s.
    private func report(_ worker: String, seconds: Double = 1, reused: Bool = false, job: Int64 = 1) -> JobReport {
        JobReport(
            AttemptID(job: job, attempt: 1), worker: worker, .finished(result: JobResult(), reused: reused),
            measured: JobMeasurement(.probe(path: "/media/a.mp4"), seconds: seconds))
    }

    private func prediction(_ table: CostTable) throws -> Double {
        table.seconds(of: try #require(JobFeatures(.probe(path: "/media/a.mp4"))))
    }

    @Test("Learns from the successes of rendered jobs alone, by the machine that their worker names")
    func learns() throws {
        var model = FarmCostModel()
        model.note([worker("w1", "fast"), worker("w2", nil), worker("w3", "slow")])
        let failure = JobFailure(.crash, subject: "", message: "died")
        let measured = JobMeasurement(.probe(path: "a"), seconds: 1)
        model.learn(
            [
                report("w1"), report("w2"), report("gone"), report("w3", reused: true),
                JobReport(AttemptID(job: 1, attempt: 1), worker: "w3", .finished(result: JobResult(), reused: false)),
                JobReport(AttemptID(job: 1, attempt: 1), worker: "w3", .failed(failure: failure), measured: measured),
                JobReport(AttemptID(job: 1, attempt: 1), worker: "w3", .started, measured: measured),
            ], at: Self.begin)
        #expect(model.machineNames == ["fast", "unknown"])
        #expect(model.model(of: "fast")?.jobs == 1 && model.model(of: "unknown")?.jobs == 2)
        // A worker that is gone is remembered: its last report may come late.
        model.note([])
        model.learn([report("w1")], at: Self.begin)
        #expect(model.model(of: "fast")?.jobs == 2)
    }

    @Test("Predicts with the average of the machines that serve the role in the pool, by their slots")
    func average() throws {
        var model = FarmCostModel()
        model.note([worker("w1", "fast"), worker("w2", "slow")])
        for _ in 0..<200 { model.learn([report("w1", seconds: 0.1), report("w2", seconds: 2)], at: Self.begin) }
        let fast = try prediction(try #require(model.model(of: "fast")).table)
        let slow = try prediction(try #require(model.model(of: "slow")).table)
        #expect(fast < 0.15 && slow > 1.8)
        model.note([worker("w1", "fast", slots: 3), worker("w2", "slow")])
        #expect(abs(try prediction(model.table(forPool: "default")) - (fast * 3 + slow) / 4) < 1e-9)
        // Probes are for workers of the role video; those of another pool, or that drain, do not count either.
        model.note([
            worker("w1", "fast"), worker("w2", "slow", roles: [.audio, .stitch]), worker("w3", "slow", pools: ["gpu"]),
            worker("w4", "slow", isDraining: true), worker("w5", "never measured", slots: 8),
        ])
        #expect(abs(try prediction(model.table(forPool: "default")) - fast) < 1e-9)
        #expect(abs(try prediction(model.table(forPool: "gpu")) - slow) < 1e-9)
        // Without workers all that is known counts alike, because as much was learned of both.
        #expect(abs(try prediction(model.table(forPool: "nobody's")) - (fast + slow) / 2) < 1e-9)
        #expect(FarmCostModel().table(forPool: "default") == .builtIn)
    }

    @Test("A new machine takes the place of the one that was unused for the longest time")
    func oldest() {
        var model = FarmCostModel()
        let most = FarmCostModel.mostMachines
        for number in 0..<most {
            model.note([worker("w\(number)", "machine \(number)")])
            model.learn([report("w\(number)")], at: Self.begin + Double(number == 5 ? 0 : 10 + number))
        }
        #expect(model.machineNames.count == most)
        _ = model.takeChanges()
        model.note([worker("w0", "machine 0"), worker("new", "a new one")])
        model.learn([report("new")], at: Self.begin + 1000)
        #expect(model.machineNames.count == most)
        #expect(!model.machineNames.contains("machine 5") && model.machineNames.contains("a new one"))
        // The worker of machine 0 is there, and so the next one goes.
        model.note([worker("w0", "machine 0"), worker("newer", "a newer one")])
        model.learn([report("newer")], at: Self.begin + 1001)
        #expect(!model.machineNames.contains("machine 1") && model.machineNames.contains("machine 0"))
        let changes = model.takeChanges()
        #expect(changes?.forgotten == ["machine 1", "machine 5"])
        #expect(changes?.models.map(\.machine) == ["a new one", "a newer one"])
    }

    @Test("Machines beyond the greatest number count together while all others have workers")
    func other() {
        var model = FarmCostModel()
        let most = FarmCostModel.mostMachines
        model.note((0..<most + 10).map { worker("w\($0)", "machine \($0)") })
        model.learn((0..<most + 10).map { report("w\($0)") }, at: Self.begin)
        #expect(model.machineNames.count == most + 1 && model.model(of: FarmCostModel.otherMachine)?.jobs == 10)
        // A worker that names another machine with each heartbeat.
        for number in 0..<1000 {
            model.note((0..<most).map { worker("w\($0)", "machine \($0)") } + [worker("liar", "liar \(number)")])
            model.learn([report("liar")], at: Self.begin + Double(number))
        }
        #expect(model.machineNames.count == most + 1 && model.model(of: FarmCostModel.otherMachine)?.jobs == 1010)
        #expect((model.takeChanges()?.models.count ?? 0) == most + 1)
    }

    @Test(
        "A machine's name is short and printable, whatever a worker says",
        arguments: [("", "unknown"), ("\0\u{1B}[2J\u{202E}", "[2J"), ("ü", "unknown"), ("other", "other")])
    func names(_ said: String, _ expected: String) {
        var model = FarmCostModel()
        model.note([worker("w1", said)])
        model.learn([report("w1")], at: Self.begin)
        #expect(model.machineNames == [expected])
        var long = FarmCostModel()
        long.note([worker("w1", String(repeating: "x", count: 100_000), slots: .max)])
        long.learn([report("w1")], at: Self.begin)
        #expect(long.machineNames == [String(repeating: "x", count: 96)])
        #expect(long.table(forPool: "default") != .builtIn)
    }

    @Test("Changes are taken once, and again when they could not be stored")
    func changes() throws {
        var model = FarmCostModel()
        #expect(model.takeChanges() == nil)
        model.note([worker("w1", "fast")])
        model.learn([report("w1")], at: Self.begin)
        let taken = model.takeChanges()
        let changes = try #require(taken)
        #expect(changes.models.map(\.fit.jobs) == [1] && changes.models.map(\.updatedAt) == [Self.begin])
        #expect(model.takeChanges() == nil)
        model.learn([report("w1")], at: Self.begin + 1)
        model.restore(changes)
        #expect(model.takeChanges()?.models.map(\.fit.jobs) == [2])
        #expect(model.takeChanges() == nil)
    }

    @Test("What earlier leaders stored is taken over, unless more was learned since")
    func adopted() throws {
        var model = FarmCostModel()
        model.note([worker("w1", "fast"), worker("w2", "slow")])
        for _ in 0..<20 { model.learn([report("w1", seconds: 0.1)], at: Self.begin) }
        model.learn([report("w2", seconds: 0.1)], at: Self.begin)
        model.adopt([.sample("fast", jobs: 10), .sample("slow", jobs: 10), .sample("old", .stitch, jobs: 10)])
        #expect(model.model(of: "fast")?.jobs == 20 && model.model(of: "slow")?.jobs == 10 && model.model(of: "old")?.jobs == 10)
        #expect(model.takeChanges()?.models.map(\.machine) == ["fast"], "what was taken over is stored already")
        model.adopt([.sample("fast", jobs: 10), .sample("slow", jobs: 10)])
        #expect(model.takeChanges() == nil)
    }

    @Test("Of more machines than are told apart the newest are taken over, and the others forgotten")
    func tooMany() {
        var model = FarmCostModel()
        let most = FarmCostModel.mostMachines
        let stored = (0..<most + 5).map { StoredCostModel.sample("machine \($0)", jobs: 3, at: Self.begin + Double($0)) }
        model.adopt(stored + [.sample(FarmCostModel.otherMachine, jobs: 3)])
        #expect(model.machineNames.count == most + 1 && !model.machineNames.contains("machine 4"))
        #expect(model.takeChanges()?.forgotten == (0..<5).map { "machine \($0)" })
    }
}
