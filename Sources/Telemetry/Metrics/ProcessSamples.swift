import FoundationEssentials
import Glibc
import Synchronization

/// The numbers of this process itself, under the names that Prometheus's own libraries use.
package enum ProcessSamples {
    /// The program's version, which `spool_build_info` tells. The program sets it when it begins.
    package static var version: String {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    private static let stored = Mutex("")

    /// What the system says now. What it does not say is left out.
    package static func now() -> [MetricSample] {
        var samples = [MetricSample(.build, [version], 1)]
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
            samples.append(MetricSample(.processorTime, Double(seconds) + Double(microseconds) / 1e6))
        }
        if let pages = numbers(in: "/proc/self/statm").dropFirst().first {
            samples.append(MetricSample(.residentMemory, pages * Double(sysconf(Int32(_SC_PAGESIZE)))))
        }
        if let started = startTime { samples.append(MetricSample(.startTime, started)) }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            samples.append(MetricSample(.openFiles, Double(files.count)))
        }
        return samples
    }

    /// When the process started, by the time since the machine did.
    private static let startTime: Double? = {
        // The name of the program, in parentheses, may contain anything.
        guard let line = text(of: "/proc/self/stat"), let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[end...].split(separator: " ")
        let boot = text(of: "/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 20, let ticks = Double(fields[20]), let booted = boot.flatMap({ Double($0.dropFirst(6)) }) else {
            return nil
        }
        return booted + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func numbers(in file: String) -> [Double] {
        text(of: file)?.split(separator: " ").compactMap { Double($0) } ?? []
    }

    private static func text(of file: String) -> String? {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
    }
}
