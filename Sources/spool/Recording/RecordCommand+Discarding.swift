import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Recorder

extension RecordCommand {
    /// `spool record discard-last`: removes the last clip.
    struct DiscardLast: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard-last", abstract: "Discard the last clip; a full recording can take clips again.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                // Asked first, so that nothing is discarded of a recording that cannot be seen.
                let found = try await farm.client.recording(farm.id)
                if try await farm.discardCaptures(onlyLast: true) {
                    return try named.say(found, "the clip that was interrupted on this machine is discarded")
                }
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

    /// `spool record discard-clip`: removes any clip.
    struct DiscardClip: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard-clip", abstract: "Discard any clip; the clips after it move up.")

        @OptionGroup var named: Named

        @Argument(help: "The clip's number, as in status.")
        var number: Int

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.discardClip(number, of: farm.id)
                return try named.say(body, "clip \(number) is discarded; the recording is \(body.status.duration) s long")
            }
            let folder = RecordingFolder(named.recording)
            let status = try await folder.change { contents in
                if contents.recording.take?.number == number {
                    try contents.recording.lose(number, "it was interrupted, and discarded")
                } else {
                    try contents.recording.discard(number)
                }
                contents.inputs[number] = nil
                return folder.status(contents)
            }
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print("clip \(number) is discarded; the recording is \(status.duration) s long")
        }
    }

    /// `spool record discard-all`: removes all clips.
    struct DiscardAll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard-all", abstract: "Discard all clips; the recording goes on empty, with its settings.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.discardAllClips(of: farm.id)
                _ = try await farm.discardCaptures()
                return try named.say(body, "\(farm.id): open, without clips")
            }
            let folder = RecordingFolder(named.recording)
            let status = try await folder.change { contents in
                if let take = contents.recording.take {
                    try contents.recording.lose(take.number, "it was interrupted, and discarded")
                }
                try contents.recording.discardAll()
                contents.inputs = [:]
                return folder.status(contents)
            }
            if named.json { return try Terminal.printJSON(status) }
            Terminal.print("\(named.recording): open, without clips")
        }
    }

    /// `spool record discard`: discards a recording.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard", abstract: "Discard a recording with all its clips.")

        @OptionGroup var named: Named

        func run() async throws {
            if let farm = try named.farmRecorder() {
                let body = try await farm.client.discardRecording(farm.id)
                _ = try await farm.discardCaptures()
                return try named.say(body, "\(farm.id): discarded")
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
}
