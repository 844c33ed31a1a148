import ArtifactStore
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import FoundationEssentials
import RenderingProcesses
import Vocabulary

/// Renders single frames of a prepared draft, for `frame`, `thumbnails` and `snapshots`.
extension DraftPreparation {
    /// The number of the frame that is shown at a time.
    /// - Throws: `CommandFailure` when the film has no frame there.
    func frame(at time: Rational, option: String) throws -> Int {
        guard let frame = composition.frame(at: time) else {
            throw CommandFailure(
                "\(option) \(time) is outside the video, which is \(composition.duration) s long", status: ExitStatus.badInput)
        }
        return frame
    }

    /// Writes several pictures, of which those that the cache does not have are rendered, as many at once as there are
    /// processes. The files get their names only when all of them are complete.
    /// - Parameter pictures: each with its path; `-` for standard output.
    /// - Returns: damage in the sources that was concealed.
    /// - Throws: `CommandFailure` that names the places of the draft that are the cause, or `OutputCheck.Fault`.
    func write(
        _ pictures: [(plan: PicturePlan, output: String)], noCache: Bool = false, _ writing: OutputOptions
    ) async throws -> [DraftDiagnostic] {
        var seen: Set<ArtifactKey> = []
        let plans = pictures.map(\.plan).filter { seen.insert($0.key).inserted }
        let found = try await render(plans, noCache: noCache, outputs: pictures.map(\.output))
        let partials = pictures.map { $0.output == "-" ? nil : PartialFile(of: $0.output) }
        for case let partial? in partials { partial.removeLeftovers() }
        defer { for case let partial? in partials { partial.remove() } }
        for (picture, partial) in zip(pictures, partials) {
            let bytes = try self.bytes(of: picture.plan.key)
            if let partial { try partial.write(bytes) } else { StandardOutput.write(bytes) }
        }
        for case let partial? in partials { try partial.complete(replacing: !writing.noOverwrite) }
        return found
    }

    private func render(
        _ plans: [PicturePlan], noCache: Bool, outputs: [String]
    ) async throws -> [DraftDiagnostic] {
        var found: [SourceWarning] = []
        var nodes: [JobGraph.Node] = []
        for plan in plans {
            if !noCache, try store.localFile(for: plan.key) != nil {
                found += try store.warnings(of: plan.key)
            } else {
                nodes.append(JobGraph.Node(RenderJob.picture(plan: plan).with(sourcesAmong: sources)))
            }
        }
        do {
            let results = try await pool.run(nodes) { _ in }
            found += results.sorted { $0.key < $1.key }.flatMap { $0.value.warnings ?? [] }
        } catch let failure as JobFailure {
            throw CommandFailure(failure, writing: outputs, places: places)
        }
        return diagnostics(found.distinct)
    }

    private func bytes(of key: ArtifactKey) throws -> Data {
        guard let path = try store.localFile(for: key) else {
            throw CommandFailure(
                "a picture is gone from the cache '\(store.directory)', which another process has changed; run the command again",
                status: ExitStatus.temporaryFailure)
        }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
