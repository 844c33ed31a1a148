import ArgumentParser
import CommandLineInterface
import ExactTime
import ExportPlan

/// `spool snapshots`: renders a number of frames of the film, each as a picture of its own.
struct SnapshotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshots", abstract: "Render frames of a draft, evenly spread, as PNG pictures, and print their times.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var spread: SpreadOptions
    @OptionGroup var writing: OutputOptions

    @Option(help: "The size of each picture, as in 320x180. Default: the film's.")
    var size: FrameSize?

    @Flag(help: "Cover the whole main track, and not only the draft's timeRange.")
    var whole = false

    @Option(name: [.customShort("o"), .long], help: "The directory for snapshot-1.png and so on; it is created if needed.")
    var output: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        let prepared = try await DraftPreparation(draft, work, isWhole: whole)
        let frames = try spread.frames(of: prepared)
        try OutputOptions.makeDirectory(output)
        let size = size ?? prepared.composition.canvas
        let snapshots = frames.enumerated().map { number, frame in
            let digits = String(number + 1)
            let padding = String(repeating: "0", count: String(frames.count).count - digits.count)
            let path = "\(output)/snapshot-\(padding)\(digits).png"
            return Snapshot(timestamp: prepared.composition.frameRate.time(ofFrame: frame), frame: frame, path: path)
        }
        for snapshot in snapshots { try writing.checkPlace(snapshot.path) }
        try await prepared.check(outputs: snapshots.map(\.path), document: draft.draft)
        let found = try await prepared.render(
            snapshots.map { (ContactSheet(shots: prepared.shots(ofFrames: [$0.frame]), shotSize: size), $0.path) }, writing)
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
