import ArgumentParser
import CommandLineInterface
import ExactTime
import ExportPlan
import RenderingProcesses

/// `spool thumbnails`: renders frames that are evenly spread over the film as one contact sheet, with the same code as
/// an export.
struct ThumbnailsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails", abstract: "Render frames of a draft, evenly spread, as one contact sheet (PNG).")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var writing: OutputOptions

    @OptionGroup var spread: SpreadOptions

    @Option(help: "Frames in a row, 1...100.")
    var columns = 5

    @Option(help: "The size of each frame, as in 320x180. Default: 320 wide.")
    var size: FrameSize?

    @Option(name: [.customShort("o"), .long], help: "The picture to write.")
    var output: String

    func validate() throws {
        if !(1...100).contains(columns) { throw ValidationError("--columns must be 1...100, not \(columns)") }
    }

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        try writing.checkPlace(output)
        let prepared = try await DraftPreparation(draft, work)
        try await prepared.check(outputs: [output], document: draft.draft)
        let composition = prepared.composition
        let frames = try spread.frames(of: prepared)
        let canvas = composition.canvas
        let shotSize = size ?? FrameSize(width: 320, height: max(1, (640 * canvas.height / canvas.width + 1) / 2))
        let sheet = ContactSheet(shots: prepared.shots(ofFrames: frames), shotSize: shotSize, columns: columns)
        let found = try await prepared.render(sheet, to: output, writing)
        Terminal.print("\(output): \(frames.count) of \(composition.frameCount) frames, \(sheet.size)")
        try Warnings(isStrict: draft.strict).tell(found)
    }
}
