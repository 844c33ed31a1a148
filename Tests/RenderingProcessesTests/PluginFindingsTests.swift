import ExactTime
import ExportPlan
import RenderingProcesses
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct PluginFindingsTests {
    private let directory: TemporaryDirectory
    private let findings: PluginFindings
    private let facts = SourceFacts(
        contentHash: "ab", byteCount: 3, container: "frei0r", origin: .zero, video: nil, audio: nil)

    init() throws {
        directory = try TemporaryDirectory()
        findings = PluginFindings(directory: directory.file("kept"), renderer: directory.file("renderer"))
        for name in ["renderer", "a.so"] { try Data("abc".utf8).write(to: URL(fileURLWithPath: directory.file(name))) }
    }

    @Test("what is true of a file is kept until the file or the renderer is another one", arguments: ["a.so", "renderer"])
    func kept(_ changed: String) throws {
        let file = directory.file("a.so")
        #expect(findings.finding(ofFile: file) == nil)
        findings.remember(.success(JobResult(facts: facts)), ofFile: file)
        #expect(findings.finding(ofFile: file) == .usable(facts))
        try Data("other".utf8).write(to: URL(fileURLWithPath: directory.file(changed)))
        #expect(findings.finding(ofFile: file) == nil)
    }

    @Test(
        "a verdict on the file is kept, a trouble of the machine or the moment is not",
        arguments: [
            (FailureClass.input, true), (.crash, true), (.environment, false), (.resource, false), (.transient, false),
            (.storage, false),
        ])
    func failures(_ failureClass: FailureClass, _ isKept: Bool) {
        let file = directory.file("a.so")
        findings.remember(.failure(JobFailure(failureClass, subject: "a", message: "is no plug-in")), ofFile: file)
        #expect(findings.finding(ofFile: file) == (isKept ? .unusable("is no plug-in") : nil))
    }

    @Test("nothing is known of a file that is not there, and a place that cannot be written is no failure")
    func nothing() {
        #expect(findings.finding(ofFile: directory.file("gone.so")) == nil)
        let unwritable = PluginFindings(directory: directory.file("a.so/below"), renderer: directory.file("renderer"))
        unwritable.remember(.success(JobResult(facts: facts)), ofFile: directory.file("a.so"))
        #expect(unwritable.finding(ofFile: directory.file("a.so")) == nil)
    }
}
