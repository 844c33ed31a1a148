import ArgumentParser
import CommandLineInterface
import DraftCompiler
import ExactTime
import ExportPlan
import RenderingProcesses
import Vocabulary

/// `spool frame`: renders one frame of the film with the same code as an export.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame", abstract: "Render one frame of a draft, or of a media file, as a picture.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var writing: OutputOptions
    @OptionGroup var sizes: FrameSizeOptions
    @OptionGroup var pictures: PictureOptions

    @Option(help: "Seconds, or num/den: the frame that is shown at this time.")
    var time: Rational

    @Option(name: [.customShort("o"), .long], help: "The picture to write: .png, .jpg or .webp; - for standard output.")
    var output: String

    func run() async throws {
        try await Interruption.run {
            try await work.withEarlyProcess(.each) { pool in try await draw(pool) }
        }
    }

    private func draw(_ pool: ChildPool) async throws {
        let prepared = try await DraftPreparation(
            draft, work, wrapsMedia: .pictures, outputs: [output], writing, selection: clips.selection,
            cacheLimit: try cacheLimit.bytes(), pool: pool)
        defer { prepared.limitCache(isQuiet: true) }
        let type = try pictures.fileType(of: output)
        let composition = prepared.composition
        let frame = try prepared.frame(at: time, option: "--time")
        let sheet = ContactSheet(
            frames: composition.singleFrames([frame]), frameSize: sizes.size(of: composition.canvas, usual: composition.canvas),
            fit: pictures.fit.scalingMode)
        try pictures.check(sheet, type)
        let found = try await prepared.write(
            [(PicturePlan(sheet, as: type), output)], noCache: pictures.noCache, writing)
        if output != "-" { Terminal.print("\(output): frame \(frame) of \(composition.frameCount), \(sheet.size)") }
        try Warnings(isStrict: draft.strict).tell(found)
    }
}
