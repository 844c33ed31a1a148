import ArgumentParser
import DraftModel
import ExactTime
import ExportPlan
import Recorder
import Vocabulary

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RecordCommand {
    /// `spool record snapshot`.
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the picture at a time of the recording as a PNG: as it was recorded, and as it came in.",
            discussion: """
                What comes through pipes is kept for that until the recording is finished or discarded; files are read where they lie.
                """)

        @OptionGroup var named: Named
        @OptionGroup var work: WorkOptions

        @Option(help: "Seconds, or num/den, of the recording.")
        var time: Rational

        @Option(name: [.customShort("o"), .long], help: "The processed picture to write.")
        var output: String

        @Option(help: "The raw picture to write.")
        var raw: String?

        func run() async throws {
            if try named.farmRecorder() != nil {
                throw CommandFailure(
                    "snapshots are taken of recordings on this machine", status: ExitStatus.usage)
            }
            let folder = RecordingFolder(named.recording)
            let contents = try folder.read()
            guard let (clip, own) = contents.recording.clip(at: MediaTime(time)) else {
                throw CommandFailure(
                    "--time \(time) is outside the recording, which is \(contents.recording.duration) s long",
                    status: ExitStatus.badInput)
            }
            var wanted = [(folder.film(of: clip.number, clip.fileType.rawValue), output)]
            if let raw {
                guard let input = contents.inputs[clip.number], FileManager.default.fileExists(atPath: input) else {
                    throw CommandFailure(
                        "what came in for clip \(clip.number) is no longer there; it is kept until the recording is over",
                        status: ExitStatus.badInput)
                }
                wanted.append((input, raw))
            }
            for (source, picture) in wanted {
                var draft = Draft()
                draft.mainTrackClips = [MainTrackClip(type: .av, url: source)]
                let prepared = try await LocalRecorder.prepare(draft, settings: ExportSettings(), input: source, work)
                let last = prepared.composition.frameCount - 1
                // A source of another rate may end a moment before its clip does.
                let frame = min(last, (own.seconds * prepared.composition.frameRate.framesPerSecond).floor)
                let sheet = PictureSheet(shots: prepared.shots(ofFrames: [frame]), shotSize: prepared.composition.canvas)
                try await prepared.render(sheet, to: picture)
                print("\(picture): clip \(clip.number) at \(own) s, \(prepared.composition.canvas)")
            }
        }
    }
}
