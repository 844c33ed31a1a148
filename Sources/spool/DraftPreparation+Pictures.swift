import DraftModel
import ExactTime
import ExportPlan
import OwnedFiles
import RenderingProcesses

/// Single frames of a prepared draft: what `frame` and `thumbnails` share.
extension DraftPreparation {
    /// The frame that is shown at a time.
    /// - Throws: `CommandFailure` when the film has none.
    func frame(at time: Rational, option: String) throws -> Int {
        let frame = (time * composition.frameRate.framesPerSecond).floor
        guard frame >= 0, frame < composition.frameCount else {
            throw CommandFailure(
                "\(option) \(time) is outside the video, which is \(composition.duration) s long", status: ExitStatus.badInput)
        }
        return frame
    }

    /// Frames of the film in the segments that show them.
    func shots(ofFrames frames: [Int]) -> [PictureSheet.Shot] {
        frames.compactMap { frame in
            plan.videoSegments.last { $0.firstFrame <= frame }.map { segment in
                PictureSheet.Shot(slice: segment.slice, frame: frame - segment.firstFrame)
            }
        }
    }

    /// - Returns: damage in the sources that was concealed.
    /// - Throws: as `render` of several sheets.
    func render(_ sheet: PictureSheet, to output: String, _ writing: OutputOptions) async throws -> [DraftDiagnostic] {
        try await render([(sheet, output)], writing)
    }

    /// As many at once as there are processes. A picture gets its name only when all of them are complete.
    /// - Returns: damage in the sources that was concealed.
    /// - Throws: `CommandFailure` that names the places of the draft that are to blame, or `OutputCheck.Fault`.
    func render(
        _ sheets: [(sheet: PictureSheet, output: String)], _ writing: OutputOptions
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
        } catch var failure as JobFailure {
            // The user knows a picture by its name.
            if let index = partials.firstIndex(where: { $0.path == failure.subject }) { failure.subject = sheets[index].output }
            throw CommandFailure(failure, places: places[failure.subject] ?? [])
        }
        for partial in partials { try partial.complete(replacing: !writing.noOverwrite) }
        return diagnostics(results.sorted { $0.key < $1.key }.flatMap { $0.value.warnings ?? [] }.distinct)
    }
}
