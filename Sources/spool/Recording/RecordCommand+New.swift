import FarmClient
import ArgumentParser
import CommandLineInterface
import DraftModel
import FarmAPI
import Vocabulary
import FoundationEssentials

extension RecordCommand {
    /// `spool record new`: begins a recording.
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Begin a recording.",
            discussion: """
                Settings: videoSize (1280x720), frameRate (30), scalingMode (aspectFill), rotation, mirror, cropRect, filters, \
                watermark, stickers, mute, backgroundMusic, minDuration, maxDuration, maxFileSize, minFreeDiskSpace, \
                metadata, preset (only passthrough, which copies pictures as they come), and those of an export: fileType, \
                videoCodec, videoBitrate or videoQuality, profile, level, maxKeyframeInterval, encoderSpeed, audioBitrate, \
                sampleRate, channels. Objects and lists are given as JSON:
                  --set 'videoSize={"width": 720, "height": 1280}'
                """)

        @Argument(help: "A directory that does not exist yet or is empty; none with --farm.")
        var directory: String?

        @Flag(help: "Record on the farm, and print the recording's id.")
        var farm = false

        @Option(help: "The settings, a JSON file; - reads it from standard input.")
        var settings: String?

        @Option(name: .customLong("set"), help: ArgumentHelp("A setting, such as maxDuration=15.", valueName: "name=value"))
        var values: [String] = []

        @Option(help: "A draft that the recording continues: its clips come first, and all else of it stays.")
        var from: String?

        @Option(help: ArgumentHelp("A value of a merge field of that draft.", valueName: "name=value"))
        var param: [String] = []

        @OptionGroup var work: WorkOptions
        @OptionGroup var server: ServerOptions

        @Flag(help: "Print the recording as JSON.")
        var json = false

        func validate() throws {
            _ = try ExportOptions.pairs(values, "--set")
            _ = try ExportOptions.pairs(param, "--param")
            if from == nil, !param.isEmpty { throw ValidationError("--param belongs to --from DRAFT") }
            if from == "-", settings == "-" { throw ValidationError("only one of --from and --settings reads standard input") }
            if farm, directory != nil { throw ValidationError("a recording on the farm has no directory") }
            if !farm, directory == nil { throw ValidationError("name a directory for the recording, or give --farm") }
        }

        func run() async throws {
            let (data, base) =
                try settings.map(DraftPreparation.readDraft).map { (Optional($0.0), $0.baseDirectory) }
                ?? (nil, FileManager.default.currentDirectoryPath)
            let overrides = try ExportOptions.pairs(values, "--set")
            let (read, faults) = RecordingSettings.read(data, overrides: overrides)
            guard var read, faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
            if let from {
                let draft = try await ContinuedDraft(from, try ExportOptions.pairs(param, "--param"), work)
                try draft.begin(&read)
            }
            guard let directory else {
                let begun = try await server.client().beginRecording(read, folder: base) { path, byteCount in
                    Terminal.error("uploaded \(path), \(Phrase.bytes(Int64(byteCount)))")
                }
                if json { return try Terminal.printFarmJSON(begun) }
                return Terminal.print("\(begun.id)")
            }
            let folder = RecordingFolder(directory)
            try await LocalRecorder(folder: folder, work: work).create(read, in: base)
            if json { return try Terminal.printJSON(folder.status(try folder.read())) }
            Terminal.print("\(directory): open")
        }
    }
}
