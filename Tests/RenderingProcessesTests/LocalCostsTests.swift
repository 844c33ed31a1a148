import ExportPlan
import RenderingProcesses
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("What local exports have learned")
struct LocalCostsTests {
    private let directory: TemporaryDirectory
    private let costs: LocalCosts

    init() throws {
        directory = try TemporaryDirectory()
        costs = LocalCosts(directory: directory.file("costs"), machine: "this machine")
    }

    private func probe(_ seconds: Double) throws -> JobMeasurement {
        try #require(JobMeasurement(.probe(path: "/media/a.mp4"), seconds: seconds))
    }

    /// The path of the only file in the directory.
    private func file() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("costs"))
        return directory.file("costs/\(try #require(names.first))")
    }

    @Test("Is nothing at first, and what they were taught afterwards")
    func learned() throws {
        #expect(costs.model == CostModel())
        costs.learn([])
        #expect(!FileManager.default.fileExists(atPath: directory.file("costs")))
        costs.learn([try probe(1), try probe(1)])
        costs.learn([try probe(1)])
        let model = LocalCosts(directory: directory.file("costs"), machine: "this machine").model
        #expect(model.jobs == 3)
        let features = try probe(1).features
        #expect(model.table.seconds(of: features) > CostTable.builtIn.seconds(of: features) * 1.5)
    }

    @Test("Is kept for each class of machines")
    func machines() throws {
        costs.learn([try probe(1)])
        let other = LocalCosts(directory: directory.file("costs"), machine: "another machine")
        #expect(other.model == CostModel())
        other.learn([try probe(1), try probe(1)])
        #expect(other.model.jobs == 2 && costs.model.jobs == 1)
    }

    @Test(
        "Is nothing where the file is damaged or none of theirs, and the next export begins anew",
        arguments: ["", "{", "[]", #"{"machine":"this machine"}"#, #"{"machine":"this machine","model":{"probe":{}}}"#, "\0\0"])
    func damaged(_ content: String) throws {
        costs.learn([try probe(1)])
        try Data(content.utf8).write(to: URL(fileURLWithPath: try file()))
        #expect(costs.model == CostModel())
        costs.learn([try probe(1)])
        #expect(costs.model.jobs == 1)
    }

    @Test("Is nothing where the file was copied from another machine")
    func copied() throws {
        let other = LocalCosts(directory: directory.file("costs"), machine: "another machine")
        other.learn([try probe(1)])
        let content = try Data(contentsOf: URL(fileURLWithPath: try file()))
        try FileManager.default.removeItem(atPath: try file())
        costs.learn([try probe(1)])
        try content.write(to: URL(fileURLWithPath: try file()))
        #expect(costs.model == CostModel())
    }

    @Test("Is nothing where the file is huge, a directory or a named pipe, and nobody waits")
    func otherThings() throws {
        costs.learn([try probe(1)])
        let file = try file()
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        try (whole + Data(repeating: 0x20, count: 1 << 20)).write(to: URL(fileURLWithPath: file))
        #expect(costs.model == CostModel())
        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        #expect(costs.model == CostModel())
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(costs.model == CostModel())
        costs.learn([try probe(1)])
        #expect(costs.model == CostModel(), "a file that cannot be written is not an error")
    }

    @Test("Stays readable when many exports end at the same time")
    func together() async throws {
        let measurement = try probe(1)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { [costs] in costs.learn([measurement]) } }
        }
        let jobs = costs.model.jobs
        #expect(jobs >= 1 && jobs <= 20)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("costs")).count == 1)
    }
}
