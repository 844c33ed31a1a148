import ExactTime
import ExportPlan
import RenderingProcesses
import TestSupport
import Testing
import FoundationEssentials

@Suite struct PluginProbeCacheTests {
    private let directory: TemporaryDirectory
    private let cache: PluginProbeCache
    private let facts = SourceFacts(
        contentHash: "ab", byteCount: 3, container: "frei0r", origin: .zero, video: nil, audio: nil)

    init() throws {
        directory = try TemporaryDirectory()
        cache = PluginProbeCache(directory: directory.file("kept"), renderer: directory.file("renderer"))
        for name in ["renderer", "a.so"] { try Data("abc".utf8).write(to: URL(fileURLWithPath: directory.file(name))) }
    }

    private func plugin(_ name: String) -> FoundPlugins.File { FoundPlugins.File(name: "a", path: directory.file(name)) }

    @Test("Plug-ins of one file have results of their own")
    func names() {
        let other = FoundPlugins.File(name: "b", path: directory.file("a.so"))
        cache.remember(.success(JobResult(facts: facts)), of: plugin("a.so"))
        #expect(cache.probeResult(of: other) == nil)
    }

    @Test("A result is kept until the plug-in's file or the renderer changes", arguments: ["a.so", "renderer"])
    func kept(_ changed: String) throws {
        let file = plugin("a.so")
        #expect(cache.probeResult(of: file) == nil)
        cache.remember(.success(JobResult(facts: facts)), of: file)
        #expect(cache.probeResult(of: file) == .usable(facts))
        try Data("other".utf8).write(to: URL(fileURLWithPath: directory.file(changed)))
        #expect(cache.probeResult(of: file) == nil)
    }

    @Test(
        "Failures of the file are kept, failures of the machine or the moment are not",
        arguments: [
            (FailureClass.input, true), (.crash, true), (.environment, false), (.resource, false), (.transient, false),
            (.storage, false),
        ])
    func failures(_ failureClass: FailureClass, _ isKept: Bool) {
        let file = plugin("a.so")
        cache.remember(.failure(JobFailure(failureClass, subject: "a", message: "is not a plug-in")), of: file)
        #expect(cache.probeResult(of: file) == (isKept ? .unusable("is not a plug-in") : nil))
    }

    @Test("A missing file has no result, and a directory that cannot be written is not an error")
    func nothing() {
        #expect(cache.probeResult(of: plugin("gone.so")) == nil)
        let unwritable = PluginProbeCache(directory: directory.file("a.so/below"), renderer: directory.file("renderer"))
        unwritable.remember(.success(JobResult(facts: facts)), of: plugin("a.so"))
        #expect(unwritable.probeResult(of: plugin("a.so")) == nil)
    }
}
