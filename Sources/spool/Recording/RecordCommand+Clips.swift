import FarmClient
import ArgumentParser
import CommandLineInterface
import Coordinator
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import Recorder
import Vocabulary
import FoundationEssentials

extension RecordCommand {
    /// `spool record append`: records a clip.
    struct Append: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Record a clip.",
            discussion: """
                The input is scaled, rotated, filtered and marked as the recording's settings say. At the recording's maximum it \
                stops by itself, and Ctrl-C or SIGTERM ends the clip of a pipe or an address and keeps it. What a recorder that \
                is killed has taken in becomes a clip with the next append or finish.
                """)

        @OptionGroup var named: Named
        @OptionGroup var media: IncomingMedia

        @Option(help: "How fast the clip plays in the draft, 0.1...16. Default: 1.")
        var speed: String?

        @Option(help: "How loud the clip is in the draft, 0...8. Default: 1.")
        var volume: String?

        @Option(help: "The clip's file type: \(FormatCatalogue.names(where: \.isForClips)). Default: the recording's.")
        var type: String?

        @Option(help: "How many seconds of the input are recorded, also as num/den. Default: all, up to the maximum.")
        var duration: String?

        @Flag(help: "Print what has come in about twice a second, and the clip at the end, as lines of JSON.")
        var events = false

        @OptionGroup var work: WorkOptions
        @OptionGroup var cacheLimit: CacheLimit

        func validate() throws {
            if events, named.json {
                throw ValidationError("--events and --json would both write to standard output; leave one out")
            }
        }

        func run() async throws {
            let watch = CaptureWatch(printsEvents: events)
            try await Interruption.run(first: { watch.stop() }) { try await append(watch) }
        }

        private func append(_ watch: CaptureWatch) async throws {
            let values = ["speed": speed, "volume": volume, "fileType": type, "duration": duration].compactMapValues { $0 }
            let (clip, faults) = ClipSettings.read(values)
            guard faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
            if let farm = try named.farmRecorder() { return try report(try await farm.append(media, clip, watch)) }
            let recorder = LocalRecorder(
                folder: RecordingFolder(named.recording), work: work, cacheLimit: try cacheLimit.bytes(),
                isQuiet: named.json || events)
            try report(try await recorder.append(media, clip, watch))
        }

        private func report(_ status: RecordingStatus) throws {
            if named.json { return try Terminal.printJSON(status) }
            guard let clip = status.clips.last else { return }
            if events { return CaptureWatch.printEvent(.init(event: "recorded", clip: clip.number, recording: status)) }
            Terminal.print(
                "clip \(clip.number): \(clip.frameCount) frames, \(clip.filmDuration) s of film; \(status.duration) s in all"
                    + (status.state == .full ? ", which is the maximum: the recording has stopped" : ""))
        }
    }

    /// `spool record status`: prints a recording's state and clips.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "status", abstract: "Show a recording and its clips.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.recording(farm.id)
                let draft = body.draft.map { ["draft '\($0.name)', revision \($0.revision)"] } ?? []
                return try named.say(body, body.status.lines + draft + farm.waiting)
            }
            let folder = RecordingFolder(named.recording)
            let status = folder.status(try folder.read())
            let capture = folder.ongoingCapture()
            if named.json { return try Terminal.printJSON(Shown(status: status, capture: capture?.captured)) }
            Terminal.print(lines: status.lines)
            if let capture {
                let size = Phrase.bytes(Int64(capture.captured.byteCount))
                Terminal.print("clip \(capture.clip) is coming in: \(capture.captured.seconds), \(size) so far")
            }
            if folder.isBeingChanged {
                Terminal.print("another process is recording into it")
            } else if let take = status.take {
                Terminal.print("clip \(take.number) was interrupted; the next append or finish keeps what came in")
            }
        }

        /// A recording of this machine, and beside its fields what has come in of a clip that is being captured.
        private struct Shown: Encodable {
            var status: RecordingStatus
            var capture: CapturedMedia?

            private enum CodingKeys: String, CodingKey { case capture }

            func encode(to encoder: any Encoder) throws {
                try status.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encodeIfPresent(capture, forKey: .capture)
            }
        }
    }

    /// `spool record stop`: ends the capture of a clip.
    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "End the clip that an append takes in from a pipe or an address; it is kept.",
            discussion: """
                For a recording on a farm the clip is taken in where its append runs; Ctrl-C ends it there, or --duration.
                """)

        @OptionGroup var named: Named

        func run() async throws {
            if try named.farmRecorder() != nil {
                throw CommandFailure(
                    "a clip of a recording on a farm is taken in where its append runs; end it there with Ctrl-C",
                    status: ExitStatus.badInput)
            }
            let folder = RecordingFolder(named.recording)
            _ = try folder.read()
            let number = try await folder.stopCapture()
            if named.json { return try Terminal.printJSON(folder.status(try folder.read())) }
            Terminal.print("clip \(number) ends; its append makes it of what has come in")
        }
    }
}
