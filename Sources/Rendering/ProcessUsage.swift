import ExportPlan
import Glibc

/// Measures what this process takes while it does a job: its greatest resident size and its processor time.
///
/// The kernel remembers the greatest size since the process began. Writing `5` to `/proc/self/clear_refs` makes it forget
/// that (proc(5)), so that each job is measured by itself. Where the system does not allow it, only the first job of a
/// process can be measured.
struct ProcessUsage {
    /// The open `/proc/self/clear_refs`; -1 where it cannot be opened.
    private let forgetting: Int32
    private var isFirst = true
    private var processorTimeBefore = 0.0
    private var isMeasured = false

    /// Has to be made before the process becomes another user, who may not open the file.
    init() {
        forgetting = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    }

    /// Begins with a job.
    mutating func begin() {
        let forgot = forgetting >= 0 && write(forgetting, "5", 1) == 1
        isMeasured = forgot || isFirst
        isFirst = false
        processorTimeBefore = ProcessUsage.processorTime
    }

    /// What the process has taken since `begin`; nil where that cannot be known.
    var sinceBegin: JobUsage? {
        guard isMeasured, let memory = ProcessUsage.peak(inStatus: ProcessUsage.status) else { return nil }
        return JobUsage(memory: memory, processorTime: max(0, ProcessUsage.processorTime - processorTimeBefore))
    }

    /// The greatest resident size in the text of `/proc/PID/status`, in bytes: `VmHWM:     271432 kB`.
    static func peak(inStatus text: String) -> Int64? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 3, words[2] == "kB", let kilobytes = Int64(words[1]), kilobytes >= 0,
            case (let bytes, false) = kilobytes.multipliedReportingOverflow(by: 1024)
        else { return nil }
        return bytes
    }

    private static var status: String {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        // The whole text is less than two kilobytes long.
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static var processorTime: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return Double(seconds) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
