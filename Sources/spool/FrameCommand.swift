import ArgumentParser
import ExactTime
import ExportPlan
import Rendering

/// `spool frame`: one frame of the film as a picture, through the same code as an export.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame", abstract: "Render one frame of a draft as a PNG picture.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Option(help: "Seconds, or num/den: the frame that is shown at this time.")
    var time: String

    @Option(name: [.customShort("o"), .long], help: "The picture to write.")
    var output: String

    func validate() throws {
        guard Rational(text: time) != nil else { throw ValidationError("--time takes seconds or num/den, not '\(time)'") }
    }

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        let composition = prepared.composition
        let wanted = (Rational(text: time) ?? .zero) * composition.frameRate.framesPerSecond
        let frame = wanted.floor
        guard frame >= 0, frame < composition.frameCount,
            let segment = prepared.plan.videoSegments.last(where: { $0.firstFrame <= frame })
        else {
            throw CommandFailure(
                "--time \(time) is outside the video, which is \(composition.duration) s long", status: ExitStatus.badInput)
        }
        let job = RenderJob.picture(
            slice: segment.slice, frame: frame - segment.firstFrame,
            sources: segment.slice.sources.sorted().compactMap { prepared.sources[$0] }, output: output)
        do {
            _ = try await prepared.pool.run([JobGraph.Node(job)]) { _ in }
        } catch let failure as JobFailure {
            throw CommandFailure(failure, places: prepared.places[failure.subject] ?? [])
        }
        print("\(output): frame \(frame) of \(composition.frameCount), \(composition.canvas)")
    }
}
