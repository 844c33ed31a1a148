import FarmAPI
import ArgumentParser
import ArtifactStore
import CommandLineInterface
import ExportPlan
import LocalFarm
import JobQueue
import Logging
import ProcessIsolation
import RemoteSources
import RenderingProcesses
import Telemetry
import Worker
import FoundationEssentials
import Glibc

/// `spool worker`: takes jobs and renders them. The first SIGTERM (or Ctrl-C) drains, a second one stops the program at
/// once.
struct WorkerRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Take jobs from the farm's queue and render them.",
        discussion: "The first SIGTERM lets running jobs end; a second one stops at once.")

    @OptionGroup var options: SettingsOptions

    @Option(help: "The worker's roles, separated by commas: video, audio, stitch.")
    var roles: String?

    @Option(help: "Jobs of one slot at a time. Default: the machine's processors.")
    var slots: String?

    @Option(
        name: [.customLong("tags"), .customLong("pools")],
        help: "The pools whose jobs it takes, separated by commas.")
    var pools: String?

    @Option(help: "Megabytes that all jobs may occupy together. Default: the machine's memory, less an eighth.")
    var machineMemory: String?

    @Option(help: "Megabytes that a rendering process may use.")
    var memory: String?

    @Option(help: "Seconds that running jobs may take to end when it drains.")
    var grace: String?

    @Option(help: "The user that rendering processes run as where root starts it. Default: spool-render or else nobody.")
    var renderUser: String?

    @Option(
        help: "Layers of the sandbox of rendering processes without which it does not start, separated by commas, or 'all'.")
    var requireSandbox: String?

    @Option(help: "The worker's unique name. Default: made of host and process.")
    var name: String?

    func run() async throws {
        // Rendering processes, which decode strangers' files, must not read the environment: it may hold the password
        // of Redis.
        Isolation.hide()
        let settings = try options.settings([
            .roles: roles, .slots: slots, .pools: pools, .machineMemory: machineMemory, .memory: memory, .grace: grace,
            .renderUser: renderUser, .requireSandbox: requireSandbox,
        ])
        let required = try orUsage { try requiredLayers(settings) }
        let location = try await store(settings)
        let user = try renderUser(try orUsage { try settings.text(.renderUser) }, reaching: FarmDirectory(location.directory))
        let group = Result { try DelegatedControlGroup() }
        let sandbox = try await sandbox(user: user, below: group, store: location.directory, requiring: required)
        // Every layer that holds now has to hold for each process, so that nobody can choose a moment without it.
        var configuration = try configuration(
            settings, at: location, user, below: try? group.get(), requiring: sandbox?.holding ?? required)
        configuration.missingLayers = sandbox.map { report in
            Dictionary(uniqueKeysWithValues: report.missing.map { ($0.key.rawValue, $0.value) })
        }
        var logger = Logger(label: "worker")
        logger[metadataKey: "worker"] = "\(configuration.id)"
        let telemetry = try orUsage {
            try ProcessTelemetry(
                settings, name: "spool worker", version: Spool.version, instance: configuration.id, hasMetrics: false,
                logger: logger)
        }
        configuration.droppedSpans = { telemetry.spans?.droppedCount }
        let end = configuration.grace + configuration.reportTimeout + .seconds(5)
        let exits = ForcedExit()
        configuration.willDrain = { exits.plan(0, after: end) }
        configuration.didResume = { exits.callOff() }
        let redis = try await queue(settings, logger)
        let worker = Worker(configuration, queue: redis, logger: logger)
        let memory = configuration.memory.map { ", \($0 >> 20) MB for jobs" } ?? ""
        if let sandbox, !sandbox.missing.isEmpty {
            let words = sandbox.missing.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) (\($0.value))" }
            logger.warning("rendering processes have no full sandbox here: it lacks \(words.joined(separator: ", "))")
        } else if sandbox == nil {
            logger.warning("it is not known which sandbox rendering processes have here: 'spool-render sandbox' fails")
        }
        logger.info(
            "working: \(configuration.slots) slots\(memory), roles \(configuration.roles.map(\.rawValue).joined(separator: ","))")
        let sending = Task { await telemetry.run() }  // ends below, once the worker has ended
        do {
            try await drainingOnSignal(worker, within: end, exits)
        } catch {
            sending.cancel()
            throw error
        }
        sending.cancel()
        await sending.value
    }

    /// The farm's store, which may be that of a coordinator.
    private func store(_ settings: FarmSettings) async throws -> StoreLocation {
        let address = try orUsage { try settings.text(.store) }
        guard StoreLocation.isCoordinator(address) else { return try orUsage { try StoreLocation(settings) } }
        let store = try orUsage { try CoordinatorStore(address) }
        do {
            return try await store.location(settings)
        } catch let fault as FarmSettings.Fault {
            return try orUsage { throw fault }
        } catch let error as any ClassifiedError {
            throw CommandFailure(error)
        }
    }

    private func requiredLayers(_ settings: FarmSettings) throws -> [SandboxLayer] {
        let names = try settings.list(.requireSandbox)
        if names == ["all"] { return SandboxLayer.allCases }
        return try names.map { name in
            guard let layer = SandboxLayer(rawValue: name) else {
                let all = SandboxLayer.allCases.map(\.rawValue).joined(separator: ", ")
                throw FarmSettings.Fault(lines: ["layers of the sandbox are \(all), or 'all' of them, not '\(name)'"])
            }
            return layer
        }
    }

    /// Which layers the sandbox of rendering processes has here. A program in place of `spool-render` may not be able to say so;
    /// its processes then find out for themselves whether they have what is required.
    /// - Returns: nil where it cannot be found out.
    /// - Throws: `CommandFailure` where a required layer is missing.
    private func sandbox(
        user: UnprivilegedUser?, below controlGroup: Result<DelegatedControlGroup, any Error>, store: String,
        requiring layers: [SandboxLayer]
    ) async throws -> SandboxReport? {
        // The caller logs that it cannot be found out.
        let report = try? await withThrowingTaskGroup(of: SandboxReport.self) { group in
            group.addTask { try await Renderer.sandbox(user: user, below: controlGroup, store: store) }
            group.addTask {
                try await Task.sleep(for: .seconds(20))
                throw CancellationError()
            }
            defer { group.cancelAll() }
            return try await group.next()
        }
        if let complaint = report?.complaint(requiring: layers) {
            throw CommandFailure(
                complaint + "; allow them (docs/security.md), or leave them out of --require-sandbox",
                status: ExitStatus.unavailable)
        }
        return report
    }

    private func configuration(
        _ settings: FarmSettings, at location: StoreLocation, _ user: UnprivilegedUser?,
        below group: DelegatedControlGroup?, requiring layers: [SandboxLayer]
    ) throws -> WorkerConfiguration {
        try orUsage {
            let roles = try settings.list(.roles).map { text in
                guard let role = WorkerRole(rawValue: text) else {
                    throw FarmSettings.Fault(lines: ["roles are video, audio and stitch, not '\(text)'"])
                }
                return role
            }
            let pools = try settings.list(.pools)
            guard !roles.isEmpty, !pools.isEmpty else {
                throw FarmSettings.Fault(lines: [
                    "a worker needs at least one role and one pool; name some in roles and pools, or leave these out"
                ])
            }
            let wanted = try settings.integer(.slots, in: 0...1024)
            let machine = MachineResources()
            let megabytes = try settings.integer(.machineMemory, in: 0...1_073_741_824)
            let host = ProcessInfo.processInfo.hostName
            let directory = FarmDirectory(location.directory)
            var configuration = WorkerConfiguration(
                id: name ?? "\(host)-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))", host: host,
                version: Spool.version, roles: roles, pools: pools,
                slots: wanted > 0 ? wanted : machine.slots,
                memory: megabytes > 0 ? Int64(megabytes) << 20 : machine.memoryForJobs, processors: machine.processors,
                grace: .seconds(try settings.integer(.grace, in: 0...86_400)),
                directory: directory,
                allowedDirectories: try settings.list(.allow, separator: ":"),
                process: try Renderer.process(
                    memory: try settings.integer(.memory, in: 256...1_048_576), user: user, below: group,
                    requiring: layers),
                renderUser: user.map { RenderUser(userID: $0.userID, groupID: $0.groupID) })
            configuration.mirror = location.mirror
            configuration.remotes = try RemotePolicy(settings)
            return configuration
        }
    }

    private func renderUser(_ name: String, reaching directory: FarmDirectory) throws -> UnprivilegedUser? {
        do {
            let user = try UnprivilegedUser.forRenderers(named: name)
            try user?.checkReaches(
                directory.root, who: "rendering processes",
                remedy: "choose another store, or name a user who may with --render-user")
            return user
        } catch let error as LocalServerError {
            throw CommandFailure(error.description, status: ExitStatus.unavailable)
        }
    }

    private func queue(_ settings: FarmSettings, _ logger: Logger) async throws -> RedisJobQueue {
        let url = try orUsage { try settings.text(.redisURL) }
        return try await RedisJobQueue.checked(url: url, logger)
    }

    /// - Parameter end: how long draining may take. After it the worker ends even if a process or a disk cannot be
    ///   interrupted; the leases of its jobs expire and are reclaimed.
    private func drainingOnSignal(_ worker: Worker, within end: Duration, _ exits: ForcedExit) async throws {
        let task = Task { try await worker.run() }  // awaited below; a separate task, because a signal cancels it
        let signals = StopSignals([SIGINT, SIGTERM]) { number, count in
            if count == 1 {
                Task { await worker.drain() }  // ends `run`
                exits.plan(128 + number, after: end)
            } else {
                task.cancel()
                exits.plan(128 + number, after: .seconds(2))
            }
        }
        defer { withExtendedLifetime(signals) {} }
        do {
            try await task.value
        } catch is CancellationError {
            throw CommandFailure(signal: SIGTERM)
        }
    }
}
