import ExportPlan
import Testing

@Suite("An order to a rendering process")
struct RenderOrderTests {
    @Test("is for one version of the renderer, and refused by others with the remedy")
    func version() throws {
        try RenderOrder(.noOp, store: "/store", renderer: rendererVersion).checkRenderer()
        let other = rendererVersion + 1
        let failure = #expect(throws: JobFailure.self) {
            try RenderOrder(.noOp, store: "/store", renderer: other).checkRenderer()
        }
        #expect(failure?.failureClass == .environment)
        #expect(
            failure?.description
                == "'spool-render' is version \(rendererVersion), the job is for version \(other); install one version of spool "
                + "everywhere")
    }
}
