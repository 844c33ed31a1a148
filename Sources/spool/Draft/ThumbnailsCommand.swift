import ArgumentParser
import CommandLineInterface
import DraftCompiler
import ExactTime
import ExportPlan
import Vocabulary

/// `spool thumbnails`: renders frames that are evenly spread over the film as one contact sheet, with the same code as
/// an export.
struct ThumbnailsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails", abstract: "Render frames of a draft, or of a media file, evenly spread, as one contact sheet.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var writing: OutputOptions
    @OptionGroup var sizes: FrameSizeOptions
    @OptionGroup var pictures: PictureOptions

    @OptionGroup var spread: SpreadOptions

    @Option(help: "Frames in a row, 1...100.")
    var columns = 5

    @Option(name: [.customShort("o"), .long], help: "The picture to write: .png, .jpg or .webp; - for standard output.")
    var output: String

    func validate() throws {
        if !(1...100).contains(columns) { throw ValidationError("--columns must be 1...100, not \(columns)") }
    }

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        let prepared = try await DraftPreparation(
            draft, work, wrapsMedia: .pictures, outputs: [output], writing, selection: clips.selection,
            cacheLimit: try cacheLimit.bytes())
        defer { prepared.limitCache(isQuiet: true) }
        let type = try pictures.fileType(of: output)
        let composition = prepared.composition
        let frames = try spread.frames(of: prepared)
        let canvas = composition.canvas
        let sheet = ContactSheet(
            frames: composition.singleFrames(frames),
            frameSize: sizes.size(of: canvas, usual: ContactSheet.usualFrameSize(of: canvas)),
            fit: pictures.fit.scalingMode, columns: columns)
        try pictures.check(sheet, type)
        let found = try await prepared.write(
            [(PicturePlan(sheet, as: type), output)], noCache: pictures.noCache, writing)
        if output != "-" { Terminal.print("\(output): \(frames.count) of \(composition.frameCount) frames, \(sheet.size)") }
        try Warnings(isStrict: draft.strict).tell(found)
    }
}
