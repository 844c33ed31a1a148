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
            findings.append(await farm(server, environment["SPOOL_TOKEN"] ?? ""))
        }
        return findings
    }

    /// The programs that `spool up` starts beside its own. Exports on this machine, and workers of another machine's farm, need neither.
    func serverPrograms() -> [Finding] {
        func finding(_ name: String, _ find: () throws -> String) -> Finding {
            do {
                return Finding(subject: name, ok: true, detail: "'\(try find())'", isOptional: true)
            } catch {
                let parts = "\(error)".split(separator: "; ", maxSplits: 1)
                return Finding(
                    subject: name, ok: false, detail: "\(parts.first ?? ""), so 'spool up' cannot run a farm here",
                    remedy: parts.dropFirst().first.map(String.init), isOptional: true)
            }
        }
        return [
            finding("PostgreSQL", LocalPostgres.findPrograms), finding("Redis", LocalRedis.findProgram),
        ]
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

    private func farm(_ server: String, _ token: String) async -> Finding {
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
