import BlockingWork
import Coordinator
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import FarmClient
import ArtifactStore
import CommandLineInterface
import Recorder
import FoundationEssentials
import Glibc

/// Recordings on a farm, with the operations that commands need.
struct FarmRecorder {
    let client: FarmClient
    let id: RecordingID

    /// Uploads a clip's media and waits until the clip is recorded. Media from a stream are captured into a file first,
    /// which ends at the recording's maximum.
    /// - Throws: `CommandFailure` when the recording of the clip fails.
    func append(_ input: IncomingMedia, _ clip: ClipSettings, _ watch: CaptureWatch) async throws -> RecordingStatus {
        var file = input.input
        var scratch: String?
        defer { if let scratch { unlink(scratch) } }
        if input.needsCapture {
            // When the recording is full, no limit is set, and the server refuses the clip with its own message.
            let status = try await client.recording(id).status
            let remaining = status.remaining.map { $0 * clip.speed }.flatMap { $0 > .zero ? $0 : nil }
            let limit = [remaining, clip.duration].compactMap(\.self).min()
            file = FarmRecorder.scratchFile("incoming")
            scratch = file
            try await input.capture(to: file, limit: limit, status.settings, watch)
        }
        let begun = try await client.appendClip(file, clip, to: id)
        guard let number = begun.status.take?.number else { return begun.status }
        let status = try await settled(number)
        if let lost = status.lost.last, lost.number == number {
            throw CommandFailure("clip \(number) is lost: \(lost.reason)", status: ExitStatus.badInput)
        }
        return status
    }

    /// Downloads an asset into a temporary file that exists while `work` runs.
    func fetching(_ location: String, _ work: (_ path: String) async throws -> Void) async throws {
        let file = FarmRecorder.scratchFile("snapshot")
        defer { unlink(file) }
        _ = try await client.downloadAsset(AssetLocation.hash(of: location) ?? location, to: file)
        try await work(file)
    }

    private static func scratchFile(_ purpose: String) -> String {
        "\(FileManager.default.temporaryDirectory.path)/spool-\(ScratchFile.name(purpose))"
    }

    /// Waits until the clip is recorded or has failed, and returns the recording.
    private func settled(_ number: Int) async throws -> RecordingStatus {
        let pauses = Backoff(first: .milliseconds(100), limit: .seconds(2), jitter: 0)
        var poll = 1
        while true {
            let status = try await client.recording(id).status
            guard status.take?.number == number else { return status }
            try await Task.sleep(for: pauses.pause(before: poll))
            poll += 1
        }
    }
}

extension RecordCommand.Named {
    /// The recording on the farm when the argument is an id and no directory has that name.
    /// - Throws: `CommandFailure`, a usage error, when no farm is named.
    func farmRecorder() throws -> FarmRecorder? {
        guard let id = RecordingID(recording), !FileManager.default.fileExists(atPath: recording) else { return nil }
        return FarmRecorder(client: try server.client(), id: id)
    }

    /// Prints a recording on the farm as JSON, or a sentence about it.
    func say(_ body: RecordingBody, _ sentence: String) throws { try say(body, [sentence]) }

    /// Prints a recording on the farm as JSON, or lines about it.
    func say(_ body: RecordingBody, _ lines: [String]) throws {
        if json { try Terminal.printFarmJSON(body) } else { Terminal.print(lines: lines) }
    }
}
