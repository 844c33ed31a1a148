import FoundationEssentials
import Glibc

/// The processes of this machine and the processor time that they have used, as /proc lists them at one moment.
/// `spool bench` takes one table before and one after its measurement.
package struct ProcessTable: Sendable {
    /// One process.
    package struct Entry: Hashable, Sendable {
        package var id: Int32
        package var parent: Int32
        /// Clock ticks that the process has used in user and kernel mode, with those of its children that have ended.
        package var ticks: Int
    }

    private let root: String
    private let entries: [Int32: Entry]
    private let children: [Int32: [Int32]]

    /// - Parameter root: the directory that holds the processes; a test gives one of its own.
    package init(root: String = "/proc") {
        self.root = root
        // Processes end while the directory is read; the files of these are gone.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        var entries: [Int32: Entry] = [:]
        for id in names.compactMap({ Int32($0) }) {
            guard let text = ProcessTable.text(of: "\(root)/\(id)/stat") else { continue }
            entries[id] = ProcessTable.entry(id, stat: text)
        }
        self.entries = entries
        children = Dictionary(grouping: entries.values.map(\.id).sorted()) { entries[$0]?.parent ?? 0 }
    }

    /// The children of a process, in the order of their ids.
    package func children(of id: Int32) -> [Int32] { children[id] ?? [] }

    /// The processor time that a process and all its descendants have used, those that have ended included.
    package func processorTime(ofTree id: Int32) -> Duration {
        let ticks = tree(id).reduce(0) { $0 + (entries[$1]?.ticks ?? 0) }
        return .seconds(Double(ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    }

    private func tree(_ id: Int32) -> [Int32] { [id] + children(of: id).flatMap(tree) }

    /// The words of a process's command line; none for a process that has ended.
    package func words(of id: Int32) -> [String] {
        (ProcessTable.text(of: "\(root)/\(id)/cmdline") ?? "").split(separator: "\0").map(String.init)
    }

    /// The most memory that a process has had resident so far, in bytes; nil for a process that has ended.
    package func peakMemory(of id: Int32) -> Int? {
        let lines = ProcessTable.text(of: "\(root)/\(id)/status")?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { return nil }
        return kilobytes * 1024
    }

    /// Reads the line of a `stat` file (proc(5)). Its second field, the program's name in parentheses, may hold spaces
    /// and parentheses.
    private static func entry(_ id: Int32, stat text: String) -> Entry? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        // The first of these is field 3 of the line.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
        // Fields 14 to 17: utime, stime, cutime and cstime.
        let times = fields[11...14].compactMap { Int($0) }
        guard times.count == 4 else { return nil }
        return Entry(id: id, parent: parent, ticks: times.reduce(0, +))
    }

    private static func text(of file: String) -> String? {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
    }
}
