import ArgumentParser
import CommandLineInterface
import DraftModel
import FarmAPI
import FarmClient
import Recorder
import FoundationEssentials

extension RecordCommand {
    /// `spool record set`: changes the settings.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the settings, for the clips that follow and for the draft.",
            discussion: """
                Clips stay as they were recorded. Their size and the music stay while there are clips.
                  spool record set party mirror=true watermark=null
                """)

        @OptionGroup var named: Named

        @Argument(help: "Settings, as for new --set; null takes one away, so that its default holds.")
        var values: [String] = []

        @Option(help: "The settings that change, a JSON file; - reads it from standard input.")
        var settings: String?

        @OptionGroup var work: WorkOptions

        func validate() throws {
            _ = try ExportOptions.pairs(values, "set")
            if values.isEmpty, settings == nil {
                throw ValidationError("name a setting, such as mirror=true, or give --settings")
            }
        }

        func run() async throws {
            let (patch, base) =
                try settings.map(DraftPreparation.readDraft).map { (Optional($0.0), $0.baseDirectory) }
                ?? (nil, FileManager.default.currentDirectoryPath)
            let changes = try ExportOptions.pairs(values, "set")
            if let farm = try named.farmRecorder() {
                try await farm.recover()
                let body = try await farm.client.changeRecording(farm.id, by: patch, changes, folder: base)
                return try named.say(body, "\(farm.id): the settings are changed")
            }
            let recorder = LocalRecorder(folder: RecordingFolder(named.recording), work: work)
            let status = try await recorder.change(patch, changes, in: base)
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print("\(named.recording): the settings are changed")
        }
    }

    /// `spool record music`: sets or removes the music.
    struct Music: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "music", abstract: "Set or remove the background music; only while there is no clip.",
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
                try await farm.recover()
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
