import Coordinator
import FarmAPI
import FarmClient
import JobQueue
import LocalServers
import Postgres
import Redis

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The farm's servers, as far as the environment names them.
extension DoctorCommand {
    func serverFindings() async -> [Finding] {
        let environment = ProcessInfo.processInfo.environment
        var findings: [Finding] = []
        if let url = environment["SPOOL_DATABASE_URL"] { findings.append(await database(url)) }
        if let url = environment["SPOOL_REDIS_URL"] { findings.append(await redis(url)) }
        if let server = environment["SPOOL_SERVER"] {
            findings.append(await answer(of: server, environment["SPOOL_TOKEN"] ?? ""))
        }
        return findings
    }

    /// The programs that `spool up` starts beside its own. Exports on this machine, and workers of another machine's farm, need neither.
    func serverPrograms() -> [Finding] {
        [
            localFarm("PostgreSQL") { "'\(try LocalPostgres.findPrograms())'" },
            localFarm("Redis") { "'\(try LocalRedis.findProgram())'" },
        ]
    }

    /// Whom the processes of `spool up` run as that do not run as root.
    func serverUsers() -> [Finding] {
        [
            localFarm("servers' user") { try UnprivilegedUser.forServers().map { "'\($0.name)'" } ?? "the one who starts them" },
            localFarm("rendering processes' user") {
                try UnprivilegedUser.forRenderers(named: "").map { "'\($0.name)'" } ?? "the one who starts them"
            },
        ]
    }

    /// Something that only `spool up` needs.
    private func localFarm(_ subject: String, _ find: () throws -> String) -> Finding {
        do {
            return Finding(subject: subject, ok: true, detail: try find(), isOptional: !farm)
        } catch {
            let parts = "\(error)".split(separator: "; ", maxSplits: 1)
            return Finding(
                subject: subject, ok: false, detail: "\(parts.first ?? ""), so 'spool up' cannot run a farm here",
                remedy: parts.dropFirst().first.map(String.init), isOptional: !farm)
        }
    }

    private func database(_ url: String) async -> Finding {
        let pool = PostgresPool(PostgresConfiguration(url, applicationName: "spool doctor"), limit: 1, connectAttempts: 1)
        do {
            let complaint = try await Migrator(pool).complaint()
            await pool.close()
            return Finding(
                subject: "database", ok: complaint == nil, detail: complaint ?? "answers, at this version's schema",
                remedy: complaint == nil ? nil : "spool migrate")
        } catch {
            return Finding(
                subject: "database", ok: false, detail: "\(error)",
                remedy: "start PostgreSQL, or correct SPOOL_DATABASE_URL")
        }
    }

    private func redis(_ url: String) async -> Finding {
        do {
            let complaint = try await RedisJobQueue(RedisClient(try RedisConfiguration(url: url))).complaint()
            return Finding(
                subject: "redis", ok: complaint == nil, detail: complaint ?? "answers, and throws nothing away",
                remedy: complaint == nil ? nil : "redis-cli CONFIG SET maxmemory-policy noeviction")
        } catch {
            return Finding(
                subject: "redis", ok: false, detail: "\(error)", remedy: "start Redis, or correct SPOOL_REDIS_URL")
        }
    }

    private func answer(of server: String, _ token: String) async -> Finding {
        do {
            let queues = try await FarmClient(server: server, token: token).queues()
            let open = queues.items.reduce(0) { $0 + $1.waiting + $1.ready + $1.dispatched + $1.running }
            return Finding(subject: "farm", ok: true, detail: "\(server) answers, \(open) jobs open")
        } catch let failure as ClientFailure {
            return Finding(
                subject: "farm", ok: false, detail: failure.message, remedy: "correct SPOOL_SERVER and SPOOL_TOKEN, or start it")
        } catch {
            return Finding(subject: "farm", ok: false, detail: "\(error)")
        }
    }
}
