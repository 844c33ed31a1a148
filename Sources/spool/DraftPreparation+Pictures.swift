import DraftModel
import ExactTime
import ExportPlan
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
    /// - Throws: `CommandFailure` that names the places of the draft that are to blame.
    func render(_ sheet: PictureSheet, to output: String) async throws -> [DraftDiagnostic] {
        try await render([(sheet, output)])
    }

    /// As many at once as there are processes.
    /// - Returns: damage in the sources that was concealed.
    /// - Throws: `CommandFailure` that names the places of the draft that are to blame.
    func render(_ sheets: [(sheet: PictureSheet, output: String)]) async throws -> [DraftDiagnostic] {
        let nodes = sheets.map { sheet, output in
            JobGraph.Node(RenderJob.pictures(sheet: sheet, output: output).with(sourcesAmong: sources))
        }
        do {
            let results = try await pool.run(nodes) { _ in }
            return diagnostics(results.sorted { $0.key < $1.key }.flatMap { $0.value.warnings ?? [] }.distinct)
        } catch let failure as JobFailure {
            throw CommandFailure(failure, places: places[failure.subject] ?? [])
        }
    }
}
