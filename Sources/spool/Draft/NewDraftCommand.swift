import ArgumentParser
import CommandLineInterface
import DraftModel
import ExactTime
import ExportPlan
import FoundationEssentials
import RenderingProcesses
import Vocabulary

/// `spool draft new`: makes a draft of files, which play one after another.
struct NewDraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a draft of media files on this machine: they play one after another.",
        discussion: """
            Films, sounds and animations become clips of their whole length, pictures are shown for --picture-duration. Paths are written \
            relative to the draft where they lie in its folder.
            """)

    @Argument(help: "Films, sounds and pictures, in order.")
    var files: [String]

    @Option(help: "The transition between clips, such as dissolve, wipeLeft or slideUp. Default: none.")
    var transition: TransitionKind?

    @Option(help: "How long transitions last: seconds, or num/den.")
    var transitionDuration = Rational.one

    @Option(help: "How long a picture is shown: seconds, or num/den.")
    var pictureDuration = Rational(3)

    @Option(help: "Music beside the clips, which repeats until the film ends.")
    var music: String?

    @Option(help: "The size of the film, as in 1920x1080. Default: that of the first picture.")
    var size: FrameSize?

    @Option(help: "The title that is written into the film.")
    var title: String?

    @OptionGroup var work: WorkOptions
    @OptionGroup var writing: OutputOptions

    @Option(name: [.customShort("o"), .long], help: "The draft to write. Default: standard output.")
    var output: String?

    func validate() throws {
        if files.count > DraftLimits.clips {
            throw ValidationError("a draft has at most \(DraftLimits.clips) clips, and there are \(files.count) files")
        }
        if transition == .lumaMap { throw ValidationError("lumaMap needs a picture of its own; add it with spool edit") }
        if transition == .externalTransition {
            throw ValidationError("externalTransition needs the name of a plug-in; add it with spool edit")
        }
    }

    func run() async throws {
        try await Interruption.run { try await make() }
    }

    private func make() async throws {
        if let output { try writing.checkPlace(output) }
        let folder =
            output.map { URL(fileURLWithPath: $0).standardizedFileURL.deletingLastPathComponent().path }
            ?? FileManager.default.currentDirectoryPath
        var draft = Draft()
        draft.title = title
        draft.videoSize = size.map { PixelSize(width: $0.width, height: $0.height) }
        for (file, isPicture) in zip(files, try await arePictures()) {
            var clip = MainTrackClip(type: isPicture ? .image : .av, url: NewDraftCommand.location(file, from: folder))
            if isPicture { clip.duration = MediaTime(pictureDuration) }
            if let transition, !draft.mainTrackClips.isEmpty {
                clip.transition = DraftModel.Transition(type: transition, duration: MediaTime(transitionDuration))
            }
            draft.mainTrackClips.append(clip)
        }
        if let music {
            var clip = AudioClip(url: NewDraftCommand.location(music, from: folder))
            clip.loop = true
            draft.audioClips = [clip]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = try encoder.encode(draft)
        let prepared = try await DraftPreparation(document, in: folder, work)
        try Warnings(isStrict: false).tell(prepared.warnings)
        guard let output else { return Terminal.print(document: document) }
        try await prepared.check(outputs: [output], document: nil)
        try writing.write(document + Data("\n".utf8), to: output)
        Terminal.print("\(output): \(prepared.composition.frameCount) frames, \(prepared.composition.duration) s")
    }

    /// Whether each file is a still picture.
    /// - Throws: `CommandFailure` with what is wrong with every file that cannot be read.
    private func arePictures() async throws -> [Bool] {
        let outcomes = try await work.pool().runEach(files.map { JobGraph.Node(.probe(path: $0)) })
        var lines: [String] = []
        var status: Int32 = 0
        var arePictures: [Bool] = []
        for outcome in outcomes {
            switch outcome {
            case .success(let result):
                arePictures.append(result.facts?.video?.isStill ?? false)
            case .failure(let failure):
                let failure = CommandFailure(failure)
                lines += failure.lines
                status = max(status, failure.status)
            }
        }
        guard lines.isEmpty else { throw CommandFailure(lines: lines, status: status) }
        return arePictures
    }

    /// How the draft names a file.
    private static func location(_ file: String, from folder: String) -> String {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}

extension TransitionKind: ExpressibleByArgument {}
