import ProcessIsolation
import Testing

@Suite("The layers of a sandbox that a machine lacks")
struct SandboxReportTests {
    @Test("Required layers that do not hold are named with the system's reasons, and others are not")
    func complaint() {
        let report = SandboxReport(missing: [
            .network: "Operation not permitted", .landlock: "Function not implemented", .user: "it runs as root",
        ])
        #expect(
            report.complaint(requiring: [.landlock, .network, .files])
                == "the sandbox of rendering processes lacks layers that are required here: "
                + "landlock (Function not implemented), network (Operation not permitted)")
        #expect(report.complaint(requiring: [.files, .systemCalls]) == nil)
    }
}
