import CommandLineInterface
import LocalFarm
import Glibc

/// The programs of a farm that `spool bench` runs, found among the processes of this machine. Each is the child of a
/// guard (`GuardedProcess`), which is a child of this process and is told apart by the program's log file.
struct BenchmarkedPrograms: Sendable {
    /// What runs, by log file.
    var logs: [String: BenchmarkReport.Part]

    /// What the programs have used up to one moment.
    struct Usage: Sendable {
        var programs: [BenchmarkReport.Part: [Int32]]
        var seconds: [BenchmarkReport.Part: Double]
        /// The coordinator's peak memory, in bytes.
        var coordinatorMemory: Int

        /// The processor time since an earlier moment.
        /// - Throws: `CommandFailure` when a program was started again meanwhile, because what it had used before is not
        ///   known.
        func seconds(since earlier: Usage) throws -> [BenchmarkReport.Part: Double] {
            for part in BenchmarkReport.Part.allCases where programs[part] != earlier.programs[part] {
                throw CommandFailure(
                    "the measurement does not count: a process of '\(part.rawValue)' has ended",
                    status: ExitStatus.internalError)
            }
            return seconds.merging(earlier.seconds) { $0 - $1 }
        }
    }

    /// - Parameter workers: how many workers there are.
    /// - Throws: `CommandFailure` when a program does not run.
    func usage(workers: Int) throws -> Usage {
        let table = ProcessTable()
        let programs = programs(in: table)
        for part in BenchmarkReport.Part.allCases {
            guard programs[part]?.count == (part == .workers ? workers : 1) else {
                throw CommandFailure(
                    "the measurement does not count: a process of '\(part.rawValue)' does not run",
                    status: ExitStatus.internalError)
            }
        }
        return Usage(
            programs: programs, seconds: programs.mapValues { seconds($0, table) },
            coordinatorMemory: programs[.coordinator]?.first.flatMap(table.peakMemory) ?? 0)
    }

    /// The processor time that PostgreSQL has used so far.
    func databaseSeconds() throws -> Double {
        let table = ProcessTable()
        guard let servers = programs(in: table)[.postgres] else { throw LocalServerError("PostgreSQL does not run") }
        return seconds(servers, table)
    }

    private func seconds(_ programs: [Int32], _ table: ProcessTable) -> Double {
        programs.reduce(0) { $0 + table.processorTime(ofTree: $1) / .seconds(1) }
    }

    private func programs(in table: ProcessTable) -> [BenchmarkReport.Part: [Int32]] {
        var programs: [BenchmarkReport.Part: [Int32]] = [:]
        for guardian in table.children(of: getpid()) {
            let words = table.words(of: guardian)
            guard let flag = words.firstIndex(of: "--log"), words.indices.contains(flag + 1), let part = logs[words[flag + 1]]
            else { continue }
            programs[part, default: []] += table.children(of: guardian)
        }
        return programs.mapValues { $0.sorted() }
    }
}
