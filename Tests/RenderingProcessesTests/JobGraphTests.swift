import ExportPlan
import RenderingProcesses
import Vocabulary
import Testing

@Suite("JobGraph")
struct JobGraphTests {
    @Test("The heaviest job goes first, and the first one of equally heavy jobs")
    func weight() {
        var graph = JobGraph([node(weight: 1), node(weight: 5), node(weight: 3), node(weight: 5)])
        #expect(takeAll(&graph) == [1, 3, 2, 0])
        #expect(graph.take() == nil)
        #expect(!graph.isOver)
    }

    @Test("A job waits until all its dependencies are done, however heavy it is")
    func dependencies() {
        var graph = JobGraph([node(), node(), node(after: [0, 1], weight: 100), node(after: [2])])
        #expect(takeAll(&graph) == [0, 1])
        graph.finish(1, JobResult())
        #expect(graph.take() == nil)
        graph.finish(0, JobResult())
        #expect(takeAll(&graph) == [2])
        graph.finish(2, JobResult())
        #expect(takeAll(&graph) == [3])
        #expect(!graph.isOver)
        graph.finish(3, JobResult())
        #expect(graph.isOver)
        #expect(graph.failure == nil)
    }

    @Test("Results are kept by job")
    func results() {
        var graph = JobGraph([node(), node()])
        _ = takeAll(&graph)
        graph.finish(1, JobResult())
        #expect(Set(graph.results.keys) == [1])
    }

    @Test("A job whose process died is run again, as often as on the farm")
    func crashAgain() {
        var graph = JobGraph([node()])
        #expect(graph.take() == 0)
        for _ in 1..<RetryPolicy.attempts(.crash) {
            graph.crash(0, "signal 11")
            #expect(graph.failure == nil)
            #expect(!graph.isOver)
            #expect(graph.take() == 0)
        }
        graph.finish(0, JobResult())
        #expect(graph.isOver)
        #expect(graph.failure == nil)
    }

    @Test("A job whose process died three times fails the export as a crash, with the last reason")
    func crashForGood() {
        var graph = JobGraph([node(), node()])
        for reason in ["signal 11", "signal 6", "signal 9"] {
            #expect(graph.failure == nil)
            #expect(graph.take() == 0)
            graph.crash(0, reason)
        }
        #expect(graph.failure?.failureClass == .crash)
        #expect(graph.failure?.message.contains("signal 9") == true)
        #expect(graph.isOver)
        #expect(graph.take() == nil)
    }

    @Test("Crashes of different jobs are counted separately")
    func crashesApart() {
        var graph = JobGraph([node(), node()])
        #expect(takeAll(&graph) == [0, 1])
        graph.crash(0, "signal 11")
        graph.crash(1, "signal 11")
        #expect(graph.failure == nil)
        #expect(takeAll(&graph) == [0, 1])
    }

    @Test("The first failure counts, and no job is handed out after it")
    func firstFailure() {
        let first = JobFailure(.input, subject: "a.mp4", message: "is damaged")
        var graph = JobGraph([node(), node(), node()])
        #expect(graph.take() == 0)
        #expect(graph.take() == 1)
        graph.fail(first)
        graph.fail(JobFailure(.transient, subject: "", message: "the disk is full"))
        #expect(graph.failure == first)
        #expect(graph.isOver)
        #expect(graph.take() == nil)
        // A job that was running may still succeed; the export has failed all the same.
        graph.finish(1, JobResult())
        #expect(graph.failure == first)
    }

    /// A probe is predicted to need between 200 and 250 MB, a no-op job nothing.
    @Test("Jobs run side by side as far as memory allows, and a lighter job that fits goes before one that does not")
    func memory() {
        var graph = JobGraph(
            [node(weight: 5), node(weight: 4), node(weight: 3), JobGraph.Node(.noOp, weight: 1)], memory: 500_000_000)
        #expect(takeAll(&graph) == [0, 1, 3])
        graph.finish(3, JobResult())
        #expect(graph.take() == nil)
        graph.finish(0, JobResult())
        #expect(takeAll(&graph) == [2])
    }

    @Test("A job that needs more memory than there is runs alone")
    func alone() {
        var graph = JobGraph([node(weight: 2), node(weight: 1)], memory: 1_000_000)
        #expect(takeAll(&graph) == [0])
        graph.crash(0, "signal 9")
        #expect(takeAll(&graph) == [0], "the heavier one again")
        graph.finish(0, JobResult())
        #expect(takeAll(&graph) == [1])
    }

    @Test("The last jobs that decode pictures share the processors; after a crash, and with little memory, each gets one")
    func processors() {
        let sheet = ContactSheet(frames: [], frameSize: FrameSize(width: 160, height: 90))
        let plan = PicturePlan(key: ArtifactKey("a sheet"), sheet: sheet, fileType: .png)
        let picture = JobGraph.Node(.picture(plan: plan, sources: []), weight: 1)
        var graph = JobGraph([picture, picture, picture, node(weight: 2)])
        #expect(takeAll(&graph) == [3, 0, 1, 2], "a probe decodes no pictures for others")
        #expect(graph.share(of: 2, for: 0) == 1)
        #expect(graph.share(of: 8, for: 0) == 2)
        graph.finish(0, JobResult())
        #expect(graph.share(of: 8, for: 1) == 4)
        graph.finish(1, JobResult())
        #expect(graph.share(of: 8, for: 2) == 8)
        graph.crash(2, "signal 9")
        #expect(takeAll(&graph) == [2])
        #expect(graph.share(of: 8, for: 2) == 1)
        var small = JobGraph([picture], memory: 1_000_000)
        #expect(takeAll(&small) == [0])
        #expect(small.share(of: 8, for: 0) == 1)
    }

    @Test("A graph without jobs is over at once")
    func empty() {
        var graph = JobGraph([])
        #expect(graph.isOver)
        #expect(graph.take() == nil)
    }

    private func node(after dependencies: Set<Int> = [], weight: Int = 0) -> JobGraph.Node {
        JobGraph.Node(.probe(path: "a.mp4"), after: dependencies, weight: weight)
    }

    private func takeAll(_ graph: inout JobGraph) -> [Int] {
        var taken: [Int] = []
        while let next = graph.take() { taken.append(next) }
        return taken
    }
}
