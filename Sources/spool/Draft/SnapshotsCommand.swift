import ArgumentParser
import CommandLineInterface
import DraftCompiler
import ExactTime
import ExportPlan
import Vocabulary

/// `spool snapshots`: renders a number of frames of the film, each as a picture of its own.
struct SnapshotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshots",
        abstract: "Render frames of a draft, or of a media file, as pictures, and print their times.",
        discussion: "The frames are evenly spread, or those at the times that are named.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var spread: SpreadOptions
    @OptionGroup var writing: OutputOptions
    @OptionGroup var sizes: FrameSizeOptions
    @OptionGroup var pictures: PictureOptions

    @Option(
        name: .customLong("time"), parsing: .upToNextOption,
        help: "The times of the frames: seconds, or num/den. Instead of --count, --start and --end.")
    var times: [Rational] = []

    @Flag(help: "Cover the whole main track, and not only the draft's timeRange.")
    var whole = false

    @Option(name: [.customShort("o"), .long], help: "The directory for snapshot-1.png and so on; it is created if needed.")
    var output: String

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if times.count > 1000 { throw ValidationError("--time takes at most 1000 times, not \(times.count)") }
        if !times.isEmpty, spread.start != nil || spread.end != nil {
            throw ValidationError("give --time, or --start and --end, not both")
        }
    }

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        let prepared = try await DraftPreparation(
            draft, work, wrapsMedia: .pictures, isWhole: whole, selection: clips.selection, cacheLimit: try cacheLimit.bytes())
        defer { prepared.limitCache(isQuiet: true) }
        let composition = prepared.composition
        let frames =
            times.isEmpty ? try spread.frames(of: prepared) : try times.map { try prepared.frame(at: $0, option: "--time") }
        try OutputOptions.makeDirectory(output)
        let type = pictures.format ?? .png
        let snapshots = frames.enumerated().map { number, frame in
            let digits = String(number + 1)
            let padding = String(repeating: "0", count: String(frames.count).count - digits.count)
            let path = "\(output)/snapshot-\(padding)\(digits).\(type.suffix)"
            return Snapshot(timestamp: composition.frameRate.time(ofFrame: frame), frame: frame, path: path)
        }
        for snapshot in snapshots { try writing.checkPlace(snapshot.path) }
        try await prepared.check(outputs: snapshots.map(\.path), document: draft.draft)
        let size = sizes.size(of: composition.canvas, usual: composition.canvas)
        let sheets = composition.singleFrames(frames).map {
            ContactSheet(frames: [$0], frameSize: size, fit: pictures.fit.scalingMode)
        }
        for sheet in sheets { try pictures.check(sheet, type) }
        let found = try await prepared.write(
            zip(sheets, snapshots).map { (PicturePlan($0, as: type), $1.path) }, noCache: pictures.noCache, writing)
        if json {
            try Terminal.printJSON(snapshots)
        } else {
            for snapshot in snapshots { Terminal.print("\(snapshot.path): frame \(snapshot.frame) at \(snapshot.timestamp) s") }
        }
        try Warnings(isStrict: draft.strict).tell(found)
    }

    private struct Snapshot: Encodable {
        /// The frame's time in the film.
        var timestamp: MediaTime
        var frame: Int
        var path: String
    }
}
