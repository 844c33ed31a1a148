import ArgumentParser
import ArtifactStore
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import FarmClient
import Recorder
import Vocabulary
import FoundationEssentials
import Glibc

extension RecordCommand {
    /// `spool record snapshot`: renders pictures at a time of a recording.
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "snapshot",
            abstract: "Write the picture at a time of the recording: as it was recorded, and as the input.",
            discussion: """
                What comes through pipes is kept for that until the recording is finished or discarded; files are read where they lie.
                Of a recording on a farm the clip is fetched first. Without --time it is the newest picture of the clip that \
                comes in just now, for which what has come in is copied.
                """)

        @OptionGroup var named: Named
        @OptionGroup var work: WorkOptions
        @OptionGroup var cacheLimit: CacheLimit
        @OptionGroup var writing: OutputOptions

        @Option(help: "Seconds, or num/den, of the recording. Default: the newest picture that comes in.")
        var time: Rational?

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
            guard let time else { return try await drawIncoming(pictures) }
            if let farm = try named.farmRecorder() {
                for picture in pictures { _ = try PictureOptions.fileType(of: picture) }
                let status = try await farm.client.recording(farm.id).status
                try await draw(from: status, at: time) { try await farm.fetching($0, $1) }
            } else {
                let folder = RecordingFolder(named.recording)
                try OutputOptions.check(pictures, against: folder.files(try folder.read()))
                for picture in pictures { _ = try PictureOptions.fileType(of: picture) }
                try await draw(from: folder.status(try folder.read()), at: time) { path, work in try await work(path) }
            }
        }

        /// - Parameter fetching: provides what the status names as a file of this machine while `work` runs.
        private func draw(
            from status: RecordingStatus, at time: Rational,
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
                    let size = try await write(draft, status.settings, input: location, to: picture) { prepared in
                        // When a source has another frame rate, it may end shortly before its clip does.
                        (own.seconds * prepared.composition.frameRate.framesPerSecond).floor
                    }
                    Terminal.print("\(picture): clip \(clip.number) at \(own) s, \(size)")
                }
            }
        }

        /// Draws the newest picture of the clip that comes in just now.
        private func drawIncoming(_ pictures: [String]) async throws {
            for picture in pictures { _ = try PictureOptions.fileType(of: picture) }
            let folder = RecordingFolder(named.recording)
            if try named.farmRecorder() != nil {
                throw CommandFailure(
                    "a clip of a recording on a farm has no picture before it is uploaded; give --time, or record on this machine",
                    status: ExitStatus.badInput)
            }
            let recording = try folder.read().recording
            guard let capture = folder.ongoingCapture(), let take = recording.take, take.number == capture.clip else {
                throw CommandFailure(
                    "nothing is being captured into '\(folder.path)'; give the --time of a picture", status: ExitStatus.badInput)
            }
            try OutputOptions.check(pictures, against: folder.files(try folder.read()))
            let copy = "\(FileManager.default.temporaryDirectory.path)/spool-\(ScratchFile.name("incoming"))"
            defer { unlink(copy) }
            do {
                try FileManager.default.copyItem(atPath: folder.incoming(of: take.number), toPath: copy)
            } catch {
                throw CommandFailure(
                    "what has come in cannot be copied to '\(copy)'; set TMPDIR to a directory with room for it",
                    status: ExitStatus.cannotCreate)
            }
            var plain = Draft()
            plain.mainTrackClips = [MainTrackClip(type: .av, url: copy)]
            let name = "clip \(take.number)"
            for (draft, picture) in zip([recording.clipDraft(of: take, url: copy), plain], pictures) {
                let size = try await write(draft, recording.settings, input: name, to: picture) { $0.composition.frameCount }
                Terminal.print("\(picture): the newest picture of clip \(take.number), \(size)")
            }
        }

        /// Writes one picture of a draft.
        /// - Parameters:
        ///   - input: the name of the incoming media in messages.
        ///   - frame: chooses the frame; one after the last stands for the last.
        /// - Returns: the size of the picture.
        private func write(
            _ draft: Draft, _ settings: RecordingSettings, input: String, to picture: String,
            frame: (DraftPreparation) -> Int
        ) async throws -> FrameSize {
            let prepared = try await LocalRecorder.prepare(
                draft, settings, settings: ExportSettings(), input: input, work, cacheLimit: try cacheLimit.bytes())
            defer { prepared.limitCache(isQuiet: true) }
            let chosen = max(0, min(prepared.composition.frameCount - 1, frame(prepared)))
            let sheet = ContactSheet(
                frames: prepared.composition.singleFrames([chosen]), frameSize: prepared.composition.canvas)
            let found = try await prepared.write(
                [(PicturePlan(sheet, as: try PictureOptions.fileType(of: picture)), picture)], writing)
            try Warnings(isStrict: false).tell(found.map { $0.ofRecording(settings, input: input) })
            return prepared.composition.canvas
        }
    }
}
