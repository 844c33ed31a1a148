import Coordinator
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import FarmClient
import OwnedFiles
import Recorder

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Recordings on a farm, as commands use them.
struct FarmRecorder {
    let client: FarmClient
    let id: RecordingID

    /// Sends a clip's media, and waits until the clip is there. What comes once is taken into a file here first, so that it
    /// stops at the recording's maximum.
    /// - Throws: `CommandFailure` when the clip is lost.
    func append(_ input: IncomingMedia, _ clip: ClipSettings) async throws -> RecordingStatus {
        var file = input.input
        var scratch: String?
        defer { if let scratch { unlink(scratch) } }
        if input.comesOnce {
            // A full recording refuses the clip; it has to say so itself.
            let remaining = try await client.recording(id).status.remaining.map { $0 * clip.speed }
            file = FarmRecorder.scratchFile("incoming")
            scratch = file
            try await input.capture(to: file, limit: remaining.flatMap { $0 > .zero ? $0 : nil })
        }
        let begun = try await client.appendClip(file, clip, to: id)
        guard let number = begun.status.take?.number else { return begun.status }
        let status = try await settled(number)
        if let lost = status.lost.last, lost.number == number {
            throw CommandFailure("clip \(number) is lost: \(lost.reason)", status: ExitStatus.badInput)
        }
        return status
    }

    /// Fetches an asset into a file that is there while the work lasts.
    func fetching(_ location: String, _ work: (_ path: String) async throws -> Void) async throws {
        let file = FarmRecorder.scratchFile("snapshot")
        defer { unlink(file) }
        _ = try await client.downloadAsset(AssetLocation.hash(of: location) ?? location, to: file)
        try await work(file)
    }

    private static func scratchFile(_ purpose: String) -> String {
        "\(FileManager.default.temporaryDirectory.path)/spool-\(ScratchFile.name(purpose))"
    }

    /// The recording once a clip is no longer on its way.
    private func settled(_ number: Int) async throws -> RecordingStatus {
        var pause = Duration.milliseconds(100)
        while true {
            let status = try await client.recording(id).status
            guard status.take?.number == number else { return status }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(2))
        }
    }
}

extension RecordCommand.Named {
    /// The recording on the farm, when the argument is an id and no directory of that name is there.
    /// - Throws: `CommandFailure`, a usage error, when no farm is named.
    func farmRecorder() throws -> FarmRecorder? {
        guard let id = RecordingID(recording), !FileManager.default.fileExists(atPath: recording) else { return nil }
        return FarmRecorder(client: try server.client(), id: id)
    }

    /// Prints a recording on the farm, or a sentence about it.
    func say(_ body: RecordingBody, _ sentence: String) throws { try say(body, [sentence]) }

    /// Prints a recording on the farm, or what there is to say about it.
    func say(_ body: RecordingBody, _ lines: [String]) throws {
        if json { try Terminal.printFarmJSON(body) } else { Terminal.print(lines: lines) }
    }
}
