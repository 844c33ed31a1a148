import ArgumentParser
import ExactTime
import ExportPlan
import RenderingProcesses

/// `spool thumbnails`: frames evenly spread over the film on one contact sheet, through the same code as an export.
struct ThumbnailsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails", abstract: "Render frames of a draft, evenly spread, as one contact sheet (PNG).")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Option(help: "How many frames, 1...400.")
    var count = 20

    @Option(help: "Frames in a row, 1...100.")
    var columns = 5

    @Option(help: "Of each frame, as in 320x180. Default: 320 wide.")
    var size: FrameSize?

    @Option(help: "From this time on: seconds, or num/den. Default: the beginning.")
    var start: Rational?

    @Option(help: "Up to this time: seconds, or num/den. Default: the end.")
    var end: Rational?

    @Option(name: [.customShort("o"), .long], help: "The picture to write.")
    var output: String

    func validate() throws {
        if !(1...400).contains(count) { throw ValidationError("--count must be 1...400, not \(count)") }
        if !(1...100).contains(columns) { throw ValidationError("--columns must be 1...100, not \(columns)") }
        if let start, let end, start >= end { throw ValidationError("--start must come before --end") }
    }

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        let composition = prepared.composition
        let first = try start.map { try prepared.frame(at: $0, option: "--start") } ?? 0
        let limit = end.map { composition.frameRate.firstFrame(atOrAfter: MediaTime($0)) } ?? composition.frameCount
        let last = min(limit, composition.frameCount)
        guard last > first else {
            throw CommandFailure("there is no frame between --start and --end", status: ExitStatus.badInput)
        }
        // The middle of each of so many equal parts.
        let frames = (0..<min(count, last - first)).map { first + (2 * $0 + 1) * (last - first) / (2 * min(count, last - first)) }
        let canvas = composition.canvas
        let shotSize = size ?? FrameSize(width: 320, height: max(1, (640 * canvas.height / canvas.width + 1) / 2))
        let sheet = PictureSheet(shots: prepared.shots(ofFrames: frames), shotSize: shotSize, columns: columns)
        try await prepared.render(sheet, to: output)
        print("\(output): \(frames.count) of \(composition.frameCount) frames, \(sheet.size)")
    }
}
