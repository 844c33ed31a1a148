import BlockingWork
import ContentHashing
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
import Vocabulary

/// Recordings on a farm, with the operations that commands need.
struct FarmRecorder {
    let client: FarmClient
    let id: RecordingID

    private var captures: FarmCaptures { FarmCaptures(of: id) }

    /// Records a clip, after clips that were interrupted, and waits until the farm has it. Media from a stream are captured
    /// into a file first, which ends at the recording's maximum.
    /// - Throws: `CommandFailure` when the recording of the clip fails; `ClientFailure`. What was captured is kept for the next
    ///   command where only the farm could not be reached.
    func append(_ input: IncomingMedia, _ clip: ClipSettings, _ watch: CaptureWatch) async throws -> RecordingStatus {
        try await recover()
        guard input.needsCapture else { return try await upload(input.input, clip) }
        let status = try await client.recording(id).status
        switch status.state {
        case .open, .recording: break
        case .full:
            throw CommandFailure(
                "the recording is full; finish it, or discard a clip", status: ExitStatus.badInput)
        case .finished, .discarded:
            throw CommandFailure("the recording is \(status.state.rawValue)", status: ExitStatus.badInput)
        }
        let limit = [status.remaining.map { $0 * clip.speed }, clip.duration].compactMap(\.self).min()
        let capture = try captures.begin(clip, after: status.clips.last?.number ?? 0)
        do {
            try await input.capture(to: capture.media, limit: limit, status.settings, watch)
        } catch let failure as CommandFailure {
            capture.remove()
            throw failure
        }
        return try await upload(capture)
    }

    /// Makes clips of what clients that were killed or interrupted have captured on this machine, and says so.
    /// - Throws: `CommandFailure`, "try again", while a process still writes one of them; `ClientFailure`.
    func recover() async throws {
        for capture in try await captures.interrupted() {
            try await RecordingFolder.waitForCapture(of: capture.media)
            guard capture.byteCount > 0 else {
                capture.remove()
                Terminal.error("a clip that was interrupted is lost: nothing of it came in")
                continue
            }
            do {
                var clip = try await made(of: capture)
                if clip == nil { clip = try await upload(capture).clips.last }
                guard let clip else { continue }
                Terminal.error(
                    "clip \(clip.number), which was interrupted, is kept: \(clip.frameCount) frames, \(clip.duration) s")
            } catch let failure as CommandFailure where failure.status == ExitStatus.badInput {
                failure.lines.forEach(Terminal.error)
            }
        }
    }

    /// The clip that the farm has made of a capture whose client ended after its upload; nil where there is none.
    private func made(of capture: FarmCapture) async throws -> RecordingStatus.Clip? {
        let location = AssetLocation.location(of: try ContentHash.ofFile(capture.media).hash)
        let clip = try await settled().clips.last { $0.input == location && $0.number > capture.note.last }
        if clip != nil { capture.remove() }
        return clip
    }

    /// Says what clients that have ended captured, and the farm does not have yet.
    var waiting: [String] {
        captures.waiting().map { count in
            "\(Phrase.bytes(Int64(count))) of a clip that was interrupted are on this machine; the next command that changes the "
                + "recording uploads them"
        }
    }

    /// Discards what clients that have ended captured.
    /// - Parameter onlyLast: whether only the newest goes, which is the recording's last clip.
    /// - Returns: whether there was anything.
    func discardCaptures(onlyLast: Bool = false) async throws -> Bool {
        let found = try await captures.interrupted()
        found.suffix(onlyLast ? 1 : found.count).forEach { $0.remove() }
        return !found.isEmpty
    }

    /// Uploads what was captured. Afterwards it is a clip, or kept where the message says.
    private func upload(_ capture: FarmCapture) async throws -> RecordingStatus {
        do {
            let status = try await upload(capture.media, capture.note.clip)
            capture.remove()
            return status
        } catch let failure as CommandFailure where failure.status == ExitStatus.badInput {
            throw setAside(capture, failure.message)
        } catch let failure as ClientFailure {
            guard try await isFinal(failure) else {
                Terminal.error(
                    "what was captured is kept on this machine, and the next command that changes the recording uploads it")
                throw failure
            }
            throw setAside(capture, "the farm refuses the clip: \(failure.message)")
        }
    }

    /// Whether the farm would refuse the same clip again. It takes no clip while another one is recorded, and when it is
    /// busy.
    private func isFinal(_ failure: ClientFailure) async throws -> Bool {
        guard case .refused(let code) = failure.reason, !failure.isRetryable else { return false }
        switch code {
        case .badRequest, .tooLarge, .invalid, .notFound: return true
        case .conflict: return ![.open, .recording].contains(try await client.recording(id).status.state)
        default: return false
        }
    }

    private func setAside(_ capture: FarmCapture, _ reason: String) -> CommandFailure {
        capture.setAside()
        return CommandFailure("\(reason); what was captured is kept in '\(capture.media)'", status: ExitStatus.badInput)
    }

    /// Uploads a clip's media and waits until the clip is recorded.
    /// - Throws: `CommandFailure` when the recording of the clip fails.
    private func upload(_ file: String, _ clip: ClipSettings) async throws -> RecordingStatus {
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

    /// Waits until a clip is recorded or has failed, and returns the recording.
    /// - Parameter number: the clip's number; nil for the clip that is being recorded now, if there is one.
    private func settled(_ number: Int? = nil) async throws -> RecordingStatus {
        let pauses = Backoff(first: .milliseconds(100), limit: .seconds(2), jitter: 0)
        var poll = 1
        while true {
            let status = try await client.recording(id).status
            guard let take = status.take, take.number == number ?? take.number else { return status }
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
