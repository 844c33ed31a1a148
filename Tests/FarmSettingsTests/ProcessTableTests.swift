import LocalFarm
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("A table of processes")
struct ProcessTableTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Writes the files of a process as /proc has them.
    private func add(_ id: Int32, _ name: String, parent: Int32, times: String, words: [String] = []) throws {
        let folder = directory.file("\(id)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("\(id) (\(name)) S \(parent) 1 1 0 -1 4194304 421 0 0 0 \(times) 20 0 1 0 377344 23609344\n", "\(folder)/stat")
        try write(words.map { $0 + "\0" }.joined(), "\(folder)/cmdline")
        try write("Name:\t\(name)\nVmPeak:\t  900 kB\nVmHWM:\t   \(id) kB\nVmRSS:\t  10 kB\n", "\(folder)/status")
    }

    private func write(_ text: String, _ file: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    @Test("has the processor time of a tree, with the children that have ended, whatever the programs are called")
    func trees() throws {
        try add(10, "guard", parent: 1, times: "1 2 3 4")
        try add(20, "a) S 7 (b", parent: 10, times: "100 50 25 25", words: ["/usr/bin/a b", "--log", "x"])
        try add(30, "c", parent: 20, times: "0 100 0 0")
        try add(40, "other", parent: 1, times: "9000 9000 0 0")
        try FileManager.default.createDirectory(atPath: directory.file("50"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: directory.file("self"), withIntermediateDirectories: true)
        let table = ProcessTable(root: directory.path)
        let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))
        #expect(table.children(of: 10) == [20])
        #expect(table.children(of: 1) == [10, 40])
        #expect(abs(table.processorTime(ofTree: 20) / .seconds(1) - 300 * tick) < tick / 100)
        #expect(abs(table.processorTime(ofTree: 10) / .seconds(1) - 310 * tick) < tick / 100)
        #expect(table.processorTime(ofTree: 99) == .zero)
        #expect(table.words(of: 20) == ["/usr/bin/a b", "--log", "x"])
        #expect(table.peakMemory(of: 20) == 20 * 1024)
        #expect(table.peakMemory(of: 99) == nil)
    }

    @Test("has this process, with its words, its memory and the time that a child has used")
    func real() async throws {
        let own = ProcessTable()
        #expect(own.words(of: getpid()).first == CommandLine.arguments.first)
        #expect((own.peakMemory(of: getpid()) ?? 0) > 1 << 20)
        let before = own.processorTime(ofTree: getpid())
        // A child that ends after it has used as much time as its limit allows.
        let outcome = try await ShellTool.run("ulimit -t 1; while :; do :; done")
        #expect(outcome.status != 0)
        let after = ProcessTable().processorTime(ofTree: getpid())
        #expect((after - before) / .seconds(1) >= 0.9)
    }
}
