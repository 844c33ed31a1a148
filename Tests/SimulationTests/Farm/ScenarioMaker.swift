import FarmAPI
import Coordinator
import ExportPlan
import TestSupport

/// Makes the scenario of a seed.
struct ScenarioMaker {
    private var numbers: RandomNumbers
    private let seed: UInt64

    static func scenario(_ seed: UInt64) -> Scenario {
        var maker = ScenarioMaker(numbers: Chance(seed: seed).numbers(.scenario), seed: seed)
        return maker.make()
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    private mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < probability }

    private mutating func make() -> Scenario {
        var workers: [WorkerModel] = []
        for number in 1...pick(2...4) {
            var roles = WorkerRole.allCases
            // The first worker has all roles, so that every job can be done.
            if number > 1, happens(0.4) { roles.remove(at: pick(0...2)) }
            workers.append(
                WorkerModel(
                    id: "w\(number)", roles: roles, slots: pick(1...3), memory: memory(ofWorker: number),
                    slowness: Double(pick(7...14)) / 10))
        }
        var exports: [ExportModel] = []
        for number in 1...pick(3...6) { exports.append(export(number, after: exports)) }
        var events: [ScenarioEvent] = []
        for place in exports.indices {
            let submitted = pick(0...(place == 0 ? 2000 : 50_000))
            events.append(ScenarioEvent(at: submitted, kind: .submit(export: place)))
            if happens(0.2) {
                events.append(ScenarioEvent(at: submitted + pick(100...30_000), kind: .cancel(export: place)))
            }
        }
        for _ in 0..<pick(2...10) { events.append(ScenarioEvent(at: pick(0...80_000), kind: fault(workers, exports))) }
        for place in exports.indices where happens(0.3) {
            events.append(ScenarioEvent(at: pick(30_000...89_000), kind: .retry(export: place)))
        }
        return Scenario(seed: seed, workers: workers, exports: exports, events: events)
    }

    // MARK: Exports

    private mutating func export(_ number: Int, after others: [ExportModel]) -> ExportModel {
        let tenant = Int64(pick(1...2))
        var digits = "\(number)"
        digits = String(repeating: "0", count: 12 - digits.count) + digits
        let id = ExportID(lowercased: "00000000-0000-4000-8000-\(digits)")
        let priority = happens(0.2) ? pick(-5...5) : 0
        var probes: [PlannedJob] = []
        for ordinal in 0..<pick(0...2) { probes.append(job(.probe, ordinal, "probe-\(number).\(ordinal)")) }
        if happens(0.15), let twin = others.last(where: { $0.tenant == tenant }) {
            return ExportModel(id: id, tenant: tenant, priority: priority, probes: probes, plan: twin.plan)
        }
        var jobs: [PlannedJob] = []
        // A shared picture reads the same artifacts in every export, so exports with an allocation share none.
        let hasAllocation = happens(0.2)
        if hasAllocation {
            for _ in 0..<pick(1...2) { jobs.append(job(.measure, jobs.count, "measure-\(number).\(jobs.count)")) }
            jobs.append(job(.allocation, 0, "allocation-\(number)"))
        }
        var shared: Set<Int> = []
        for _ in 0..<pick(1...5) {
            let common = pick(1...5)
            let isShared = !hasAllocation && happens(0.4) && shared.insert(common).inserted
            jobs.append(job(.video, jobs.count, isShared ? "video-common.\(common)" : "video-\(number).\(jobs.count)"))
        }
        if happens(0.7) {
            var sounds: [ArtifactKey] = []
            for _ in 0..<pick(1...2) {
                jobs.append(job(.audio, jobs.count, "audio-\(number).\(jobs.count)"))
                sounds.append(jobs[jobs.count - 1].key)
            }
            var soundtrack = job(.soundtrack, 0, "soundtrack-\(number)")
            // The sounds that it is made of are those that have to be mixed.
            soundtrack.work = .soundtrack(
                plan: SoundtrackPlan(
                    key: soundtrack.key, encode: AudioEncodeSettings(bitrate: 128_000, sampleRate: 44_100, channels: 2),
                    sampleCount: 44_100), segments: sounds)
            jobs.append(soundtrack)
        }
        let film = job(.stitch, 0, "film-\(number)")
        jobs.append(film)
        if happens(0.25) {
            for ordinal in 0..<pick(1...2) {
                jobs.append(job(.picture, ordinal, happens(0.3) ? "picture-common.\(ordinal)" : "picture-\(number).\(ordinal)"))
            }
        }
        let plan = PlannedExport(jobs: jobs, filmKey: film.key, frameCount: 30 * jobs.count)
        return ExportModel(id: id, tenant: tenant, priority: priority, probes: probes, plan: plan)
    }

    private mutating func job(_ kind: JobKind, _ ordinal: Int, _ key: String) -> PlannedJob {
        let weight = kind == .probe || kind == .stitch ? 0.5 : Double(pick(5...120)) / 10
        return PlannedJob(
            kind: kind, ordinal: ordinal, key: ArtifactKey(key), work: .noOp, frameCount: kind == .video ? 30 : 0,
            weight: weight, demand: demand(key))
    }

    // MARK: Memory

    /// These numbers belong to the worker and to the key, so that jobs for the same artifact need the same.
    private func memory(ofWorker number: Int) -> Int64? {
        let choices: [Int64?] = [nil, nil, 2 << 30, 4 << 30]
        return choices[Chance(seed: seed).number(.memory, in: 0...3, Int64(number))]
    }

    private func demand(_ key: String) -> JobDemand {
        let choices: [Int64] = [0, 0, 500 << 20, 900 << 20, 1800 << 20, 6 << 30]
        let name = key.utf8.reduce(Int64(7)) { ($0 &* 31) &+ Int64($1) }
        return JobDemand(memory: choices[Chance(seed: seed).number(.memory, in: 0...5, name, 1)])
    }

    // MARK: Faults

    private mutating func fault(_ workers: [WorkerModel], _ exports: [ExportModel]) -> ScenarioEvent.Kind {
        let worker = pick(0...workers.count - 1)
        let export = pick(0...exports.count - 1)
        let job = pick(0...exports[export].plan.jobs.count - 1)
        let classes: [FailureClass] = [.transient, .transient, .storage, .resource, .crash, .crash, .input]
        switch pick(0...23) {
        case 0: return .pause(WorkerRole.allCases[pick(0...2)], for: pick(1000...30_000))
        case 1, 2, 3: return .kill(worker: worker, for: pick(500...60_000))
        case 4, 5: return .hang(worker: worker, for: pick(1000...40_000))
        case 6: return .slow(worker: worker, factor: pick(2...8), for: pick(5000...60_000))
        case 7: return .drain(worker: worker, for: pick(1000...40_000))
        case 8: return .storePause(worker: worker, for: pick(500...20_000))
        case 9: return .lack(worker: worker, kind: exports[export].plan.jobs[job].kind, for: pick(10_000...60_000))
        case 10, 11, 12:
            return .fail(export: export, job: job, classes[pick(0...classes.count - 1)], times: pick(1...6))
        case 13: return .loseArtifact(export: export, job: job)
        case 14: return .flushQueue
        case 15, 16: return .queueAway(for: pick(500...40_000))
        case 17: return .storeAway(for: pick(500...20_000))
        case 18: return .newLeader
        case 19: return .stopLeader(for: pick(1000...30_000))
        default: return .next(CountedFault.allCases[pick(0...CountedFault.allCases.count - 1)], times: pick(1...4))
        }
    }
}
