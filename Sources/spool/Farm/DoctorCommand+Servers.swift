import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import JobQueue
import LocalFarm
import Postgres
import ProcessIsolation
import Redis
import FoundationEssentials

/// Checks the farm's servers that the environment names.
extension DoctorCommand {
    func serverChecks() async -> [CheckResult] {
        let environment = ProcessInfo.processInfo.environment
        var results: [CheckResult] = []
        if let url = environment["SPOOL_DATABASE_URL"] { results.append(await database(url)) }
        if let url = environment["SPOOL_REDIS_URL"] { results.append(await redis(url)) }
        if let server = environment["SPOOL_SERVER"] {
            results.append(await answer(of: server, environment["SPOOL_TOKEN"] ?? ""))
        }
        return results
    }

    /// The programs that `spool up` starts besides this one. Exports on this machine and workers of another machine's
    /// farm do not need them.
    func serverPrograms() -> [CheckResult] {
        [
            localFarm("coordinator") { "'\(try ProgramFiles.coordinator())'" },
            localFarm("PostgreSQL") { "'\(try LocalPostgres.findPrograms())'" },
            localFarm("Redis") { "'\(try LocalRedis.findProgram())'" },
        ]
    }

    /// The users that `spool up`, when started by root, runs its servers and renderers as.
    func serverUsers() -> [CheckResult] {
        [
            localFarm("servers' user") { try UnprivilegedUser.forServers().map { "'\($0.name)'" } ?? "the one who starts them" },
            localFarm("rendering processes' user") {
                try UnprivilegedUser.forRenderers(named: "").map { "'\($0.name)'" } ?? "the one who starts them"
            },
        ]
    }

    /// The sandbox of a worker's rendering processes. A worker takes jobs without some of its layers, unless it is told not to.
    func sandbox() async -> CheckResult {
        let report: SandboxReport
        do {
            report = try await Renderer.sandbox(
                user: try UnprivilegedUser.forRenderers(named: ""), below: Result { try DelegatedControlGroup() })
        } catch {
            return CheckResult(
                subject: "sandbox", ok: false, detail: "cannot be entered: \(error)", isOptional: !farm)
        }
        let on = "has \(report.holding.map(\.rawValue).joined(separator: ", "))"
        let off = report.missing.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) (\($0.value))" }
        return CheckResult(
            subject: "sandbox", ok: off.isEmpty,
            detail: off.isEmpty ? on : "\(on); lacks \(off.joined(separator: ", "))",
            remedy: off.isEmpty ? nil : "docs/security.md says what each layer needs", isOptional: true)
    }

    /// A requirement of `spool up` only.
    private func localFarm(_ subject: String, _ find: () throws -> String) -> CheckResult {
        do {
            return CheckResult(subject: subject, ok: true, detail: try find(), isOptional: !farm)
        } catch {
            let text = (error as? CommandFailure)?.lines.joined().replacing("error: ", with: "") ?? "\(error)"
            let parts = text.split(separator: "; ", maxSplits: 1)
            return CheckResult(
                subject: subject, ok: false, detail: "\(parts.first ?? ""), so 'spool up' cannot run a farm here",
                remedy: parts.dropFirst().first.map(String.init), isOptional: !farm)
        }
    }

    private func database(_ url: String) async -> CheckResult {
        let pool = PostgresPool(PostgresConfiguration(url, applicationName: "spool doctor"), limit: 1, connectAttempts: 1)
        do {
            let complaint = try await Migrator(pool).complaint()
            await pool.close()
            return CheckResult(
                subject: "database", ok: complaint == nil, detail: complaint ?? "answers, at this version's schema",
                remedy: complaint == nil ? nil : "spool migrate")
        } catch {
            return CheckResult(
                subject: "database", ok: false, detail: "\(error)",
                remedy: "start PostgreSQL, or correct SPOOL_DATABASE_URL")
        }
    }

    private func redis(_ url: String) async -> CheckResult {
        do {
            let complaint = try await RedisJobQueue(RedisClient(try RedisConfiguration(url: url))).complaint()
            let parts = complaint?.split(separator: "; ", maxSplits: 1).map(String.init) ?? []
            return CheckResult(
                subject: "redis", ok: complaint == nil, detail: parts.first ?? "answers, and discards no keys",
                remedy: parts.dropFirst().first)
        } catch {
            return CheckResult(
                subject: "redis", ok: false, detail: "\(error)", remedy: "start Redis, or correct SPOOL_REDIS_URL")
        }
    }

    private func answer(of server: String, _ token: String) async -> CheckResult {
        do {
            let queues = try await FarmClient(server: server, token: token).queues()
            let open = queues.items.reduce(0) { $0 + $1.waiting + $1.ready + $1.dispatched + $1.running }
            return CheckResult(subject: "farm", ok: true, detail: "\(server) answers, \(open) jobs open")
        } catch let failure as ClientFailure {
            // A missing library's message names the package to install.
            let remedy = failure.reason == .environment ? nil : "correct SPOOL_SERVER and SPOOL_TOKEN, or start it"
            return CheckResult(subject: "farm", ok: false, detail: failure.message, remedy: remedy)
        } catch {
            return CheckResult(subject: "farm", ok: false, detail: "\(error)")
        }
    }
}
