import FarmClient
import ArgumentParser
import CommandLineInterface
import Coordinator
import DraftModel
import ExactTime
import FarmAPI
import Recorder
import FoundationEssentials

extension RecordCommand {
    /// `spool record append`: records a clip.
    struct Append: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Record a clip.",
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

        @Option(help: "The clip's file type: mp4, mov, webm, mkv. Default: the recording's.")
        var type: String?

        @OptionGroup var work: WorkOptions
        @OptionGroup var cacheLimit: CacheLimit

        func run() async throws {
            let stop = CaptureStop()
            try await Interruption.run(first: { stop.request() }) { try await append(stop) }
        }

        private func append(_ stop: CaptureStop) async throws {
            let values = ["speed": speed, "volume": volume, "fileType": type].compactMapValues { $0 }
            let (clip, faults) = ClipSettings.read(values)
            guard faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
            if let farm = try named.farmRecorder() { return try report(try await farm.append(media, clip, stop)) }
            let recorder = LocalRecorder(
                folder: RecordingFolder(named.recording), work: work, cacheLimit: try cacheLimit.bytes(), isQuiet: named.json)
            try report(try await recorder.append(media, clip, stop))
        }

        private func report(_ status: RecordingStatus) throws {
            if named.json { return try Terminal.printJSON(status) }
            guard let clip = status.clips.last else { return }
            Terminal.print(
                "clip \(clip.number): \(clip.frameCount) frames, \(clip.filmDuration) s of film; \(status.duration) s in all"
                    + (status.state == .full ? ", which is the maximum: the recording has stopped" : ""))
        }
    }

    /// `spool record status`: prints a recording's state and clips.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a recording and its clips.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.recording(farm.id)
                let draft = body.draft.map { ["draft '\($0.name)', revision \($0.revision)"] } ?? []
                return try named.say(body, body.status.lines + draft)
            }
            let folder = RecordingFolder(named.recording)
            let status = folder.status(try folder.read())
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print(lines: status.lines)
            if folder.isBeingChanged {
                Terminal.print("another process is recording into it")
            } else if let take = status.take {
                Terminal.print("clip \(take.number) was interrupted; the next append or finish keeps what came in")
            }
        }
    }

    /// `spool record discard-last`: removes the last clip.
    struct DiscardLast: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard-last", abstract: "Discard the last clip; a full recording can take clips again.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.discardLastClip(of: farm.id)
                return try named.say(body, "the last clip is discarded; the recording is \(body.status.duration) s long")
            }
            let folder = RecordingFolder(named.recording)
            let (number, status) = try await folder.change { contents in
                let number: Int
                if let take = contents.recording.take {
                    // It was interrupted, and is the last clip, although it is not rendered yet.
                    number = take.number
                    try contents.recording.lose(number, "it was interrupted, and discarded")
                } else {
                    number = try contents.recording.discardLast().number
                }
                contents.inputs[number] = nil
                return (number, folder.status(contents))
            }
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print("clip \(number) is discarded; the recording is \(status.duration) s long")
        }
    }

    /// `spool record discard`: discards a recording.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Discard a recording with all its clips.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                return try named.say(try await farm.client.discardRecording(farm.id), "\(farm.id): discarded")
            }
            let folder = RecordingFolder(named.recording)
            let status = try await folder.change { contents in
                try contents.recording.discard()
                contents.inputs = [:]
                return folder.status(contents)
            }
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print("\(named.recording): discarded")
        }
    }

    /// `spool record finish`: makes a draft of a recording.
    struct Finish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a recording: its clips and its music become a draft.")

        @OptionGroup var named: Named

        @Option(name: [.customShort("o"), .long], help: "The draft to write. Default: draft.json in the recording's directory.")
        var output: String?

        @OptionGroup var work: WorkOptions
        @OptionGroup var writing: OutputOptions

        func run() async throws {
            if let farm = try named.farmRecorder() { return try await finish(farm) }
            let folder = RecordingFolder(named.recording)
            let done = try await LocalRecorder(folder: folder, work: work).finish(to: output, writing)
            if named.json { return try Terminal.printJSON(folder.status(try folder.read())) }
            Terminal.print("\(done.path): \(done.frameCount) frames, \(done.duration) s")
        }

        /// Finishes a recording on the farm. The farm keeps the draft in its library; `output` is a copy.
        private func finish(_ farm: FarmRecorder) async throws {
            if let output { try writing.checkPlace(output) }
            let body = try await farm.client.finishRecording(farm.id)
            guard let draft = body.draft else { return }
            if let output {
                try writing.write(try await farm.client.draft(draft.name, revision: draft.revision), to: output)
            }
            try named.say(body, "draft '\(draft.name)' is at revision \(draft.revision), \(body.status.duration) s")
        }
    }

    /// `spool record music`: sets or removes the music.
    struct Music: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set or remove the background music; only while there is no clip.",
            discussion:
                #"The music is as in the settings: {"url": "song.m4a", "timeRange": {"start": 0, "duration": 8}, "volume": 0.5}"#)

        @OptionGroup var named: Named

        @Argument(help: "The music as JSON, or 'none'.")
        var music: String

        @OptionGroup var work: WorkOptions

        func run() async throws {
            var wanted: RecordingSettings.BackgroundMusic?
            if music != "none" {
                let (read, faults) = RecordingSettings.BackgroundMusic.read(music)
                guard let read else { throw CommandFailure(DraftError(faults)) }
                wanted = read
            }
            if let farm = try named.farmRecorder() {
                let folder = FileManager.default.currentDirectoryPath
                let body = try await farm.client.setMusic(wanted, of: farm.id, folder: folder)
                return try named.say(body, body.status.settings.backgroundMusic.map { "the music is \($0.url)" } ?? "no music")
            }
            let recorder = LocalRecorder(folder: RecordingFolder(named.recording), work: work)
            let status = try await recorder.setMusic(wanted)
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print(
                "\(named.recording): \(status.settings.backgroundMusic.map { "the music is \($0.url)" } ?? "no music")")
        }
    }
}
