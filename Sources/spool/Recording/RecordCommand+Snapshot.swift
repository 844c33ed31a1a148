import FarmClient
import ArgumentParser
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import Recorder
import Vocabulary
import FoundationEssentials

extension RecordCommand {
    /// `spool record snapshot`: renders pictures at a time of a recording.
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the picture at a time of the recording: as it was recorded, and as the input.",
            discussion: """
                What comes through pipes is kept for that until the recording is finished or discarded; files are read where they lie.
                Of a recording on a farm the clip is fetched first.
                """)

        @OptionGroup var named: Named
        @OptionGroup var work: WorkOptions
        @OptionGroup var cacheLimit: CacheLimit
        @OptionGroup var writing: OutputOptions

        @Option(help: "Seconds, or num/den, of the recording.")
        var time: Rational

        @Option(name: [.customShort("o"), .long], help: "The processed picture to write: .png, .jpg or .webp.")
        var output: String

        @Option(help: "The raw picture to write: .png, .jpg or .webp.")
        var raw: String?

        func run() async throws {
            try await Interruption.run { try await draw() }
        }

        private func draw() async throws {
            let pictures = [output, raw].compactMap { $0 }
            for picture in pictures { try writing.checkPlace(picture) }
            if let farm = try named.farmRecorder() {
                for picture in pictures { _ = try PictureOptions.fileType(of: picture) }
                try await draw(from: try await farm.client.recording(farm.id).status) { try await farm.fetching($0, $1) }
            } else {
                let folder = RecordingFolder(named.recording)
                try OutputOptions.check(pictures, against: folder.files(try folder.read()))
                for picture in pictures { _ = try PictureOptions.fileType(of: picture) }
                try await draw(from: folder.status(try folder.read())) { path, work in try await work(path) }
            }
        }

        /// - Parameter fetching: provides what the status names as a file of this machine while `work` runs.
        private func draw(
            from status: RecordingStatus,
            fetching: (_ location: String, _ work: (String) async throws -> Void) async throws -> Void
        ) async throws {
            guard let (clip, own) = status.clip(at: MediaTime(time)) else {
                throw CommandFailure(
                    "--time \(time) is outside the recording, which is \(status.duration) s long",
                    status: ExitStatus.badInput)
            }
            var wanted = [(clip.url, output)]
            if let raw {
                guard let input = clip.input else {
                    throw CommandFailure(
                        "the input of clip \(clip.number) no longer exists; it is kept until the recording is finished",
                        status: ExitStatus.badInput)
                }
                wanted.append((input, raw))
            }
            for (location, picture) in wanted {
                try await fetching(location) { source in
                    var draft = Draft()
                    draft.mainTrackClips = [MainTrackClip(type: .av, url: source)]
                    let prepared = try await LocalRecorder.prepare(
                        draft, status.settings, settings: ExportSettings(), input: location, work,
                        cacheLimit: try cacheLimit.bytes())
                    defer { prepared.limitCache(isQuiet: true) }
                    let last = prepared.composition.frameCount - 1
                    // When a source has another frame rate, it may end shortly before its clip does.
                    let frame = min(last, (own.seconds * prepared.composition.frameRate.framesPerSecond).floor)
                    let sheet = ContactSheet(
                        frames: prepared.composition.singleFrames([frame]), frameSize: prepared.composition.canvas)
                    let found = try await prepared.write(
                        [(PicturePlan(sheet, as: try PictureOptions.fileType(of: picture)), picture)], writing)
                    try Warnings(isStrict: false).tell(found.map { $0.ofRecording(status.settings, input: location) })
                    Terminal.print("\(picture): clip \(clip.number) at \(own) s, \(prepared.composition.canvas)")
                }
            }
        }
    }
}
