import DraftModel
import ExactTime
import ExportPlan
import ArtifactStore
import CommandLineInterface
import RenderingProcesses

/// Renders single frames of a prepared draft, for `frame` and `thumbnails`.
extension DraftPreparation {
    /// The number of the frame that is shown at a time.
    /// - Throws: `CommandFailure` when the film has no frame there.
    func frame(at time: Rational, option: String) throws -> Int {
        let frame = (time * composition.frameRate.framesPerSecond).floor
        guard frame >= 0, frame < composition.frameCount else {
            throw CommandFailure(
                "\(option) \(time) is outside the video, which is \(composition.duration) s long", status: ExitStatus.badInput)
        }
        return frame
    }

    /// The given frames of the film, each with the segment that shows it.
    func shots(ofFrames frames: [Int]) -> [ContactSheet.Shot] {
        frames.compactMap { frame in
            plan.videoSegments.last { $0.firstFrame <= frame }.map { segment in
                ContactSheet.Shot(slice: segment.slice, frame: frame - segment.firstFrame)
            }
        }
    }

    /// - Returns: damage in the sources that was concealed.
    /// - Throws: the same errors as `render` of several sheets.
    func render(_ sheet: ContactSheet, to output: String, _ writing: OutputOptions) async throws -> [DraftDiagnostic] {
        try await render([(sheet, output)], writing)
    }

    /// Renders several sheets, as many at once as there are processes. The files get their names only when all of them
    /// are complete.
    /// - Returns: damage in the sources that was concealed.
    /// - Throws: `CommandFailure` that names the places of the draft that are the cause, or `OutputCheck.Fault`.
    func render(
        _ sheets: [(sheet: ContactSheet, output: String)], _ writing: OutputOptions
    ) async throws -> [DraftDiagnostic] {
        let partials = sheets.map { PartialFile(of: $0.output) }
        for partial in partials { partial.removeLeftovers() }
        defer { for partial in partials { partial.remove() } }
        let nodes = zip(sheets, partials).map { picture, partial in
            JobGraph.Node(RenderJob.pictures(sheet: picture.sheet, output: partial.path).with(sourcesAmong: sources))
        }
        let results: [Int: JobResult]
        do {
            results = try await pool.run(nodes) { _ in }
        } catch let failure as JobFailure {
            throw CommandFailure(failure, writing: sheets.map(\.output), places: places)
        }
        for partial in partials { try partial.complete(replacing: !writing.noOverwrite) }
        return diagnostics(results.sorted { $0.key < $1.key }.flatMap { $0.value.warnings ?? [] }.distinct)
    }
}
