import ArgumentParser
import CommandLineInterface
import ExactTime
import ExportPlan
import RenderingProcesses

/// `spool frame`: renders one frame of the film with the same code as an export.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame", abstract: "Render one frame of a draft as a PNG picture.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var writing: OutputOptions

    @Option(help: "Seconds, or num/den: the frame that is shown at this time.")
    var time: Rational

    @Option(help: "The size of the picture, as in 320x180. Default: the film's.")
    var size: FrameSize?

    @Option(name: [.customShort("o"), .long], help: "The picture to write.")
    var output: String

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        try writing.checkPlace(output)
        let prepared = try await DraftPreparation(draft, work)
        try await prepared.check(outputs: [output], document: draft.draft)
        let composition = prepared.composition
        let frame = try prepared.frame(at: time, option: "--time")
        let shots = prepared.shots(ofFrames: [frame])
        let size = size ?? composition.canvas
        let found = try await prepared.render(ContactSheet(shots: shots, shotSize: size), to: output, writing)
        Terminal.print("\(output): frame \(frame) of \(composition.frameCount), \(size)")
        try Warnings(isStrict: draft.strict).tell(found)
    }
}
