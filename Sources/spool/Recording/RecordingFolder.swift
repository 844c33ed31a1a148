import DraftModel
import ExactTime
import ArtifactStore
import CommandLineInterface
import Recorder
import Vocabulary
import FoundationEssentials
import Glibc

/// A recording on this machine, in its own directory.
///
///     recording.json     the recording, replaced in one step; files that it does not name do not count
///     clips/0001.mp4     the clips' films
///     incoming/0001      media captured from streams, kept for snapshots until the recording is over, and while it is
///                        captured, so that it outlives a recorder that is killed
///     lock               held by the process that changes the recording; the system releases it when the process ends
struct RecordingFolder {
    /// The contents of `recording.json`.
    struct Contents: Codable {
        var version = 1
        var recording: Recording
        /// The path of each clip's incoming media, by the clip's number, in the directory or elsewhere.
        var inputs: [Int: String] = [:]
    }

    let path: String

    init(_ path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    }

    private var file: String { "\(path)/recording.json" }

    /// Begins a recording in a new or empty directory.
    /// - Throws: `CommandFailure` when the directory cannot be written or is not empty.
    func create(_ recording: Recording) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let others = try FileManager.default.contentsOfDirectory(atPath: path)
            guard others.isEmpty else {
                let what = others.contains("recording.json") ? "a recording" : "other files"
                throw CommandFailure("'\(path)' has \(what) in it; name a new directory", status: ExitStatus.badInput)
            }
            for name in ["clips", "incoming"] {
                try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(
                "'\(path)' cannot be created or written; name a place that this user may write to",
                status: ExitStatus.cannotCreate)
        }
        try write(Contents(recording: recording))
    }

    /// - Throws: `CommandFailure` when no recording can be read.
    func read() throws -> Contents {
        guard access(file, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else {
            throw CommandFailure(
                "there is no recording in '\(path)'; begin one: spool record new \(path)", status: ExitStatus.badInput)
        }
        let data = try InputFile.read(file)
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            let what: String
            switch error as? DecodingError {
            case .keyNotFound(let key, let context)?:
                what = "it has no '\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))'"
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
                let place = context.codingPath.map(\.stringValue).joined(separator: ".")
                what = place.isEmpty ? "it is not an object" : "'\(place)' has the wrong type"
            case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
                what = "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is not valid"
            default: what = error is DraftError ? "its settings are not valid" : "it is not JSON"
            }
            throw CommandFailure(
                "'\(file)' is damaged: \(what); restore the file from a copy, or begin a new recording with the clips that are in "
                    + "'\(path)/clips'", status: ExitStatus.badInput)
        }
    }

    /// Replaces `recording.json` in one step.
    func write(_ contents: Contents) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try OutputOptions.write(try encoder.encode(contents) + Data("\n".utf8), to: file)
    }

    // MARK: Changing it

    /// Changes the recording while holding its lock, and removes files that killed processes left.
    /// - Throws: `CommandFailure`, "try again", while another process holds the lock.
    func change<Result>(_ body: (inout Contents) async throws -> Result) async throws -> Result {
        var contents = try read()
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard lock >= 0 else {
            throw CommandFailure(
                "'\(path)' cannot be written: \(String(cString: strerror(errno)))", status: ExitStatus.cannotCreate)
        }
        defer { close(lock) }
        try await take(lock)
        contents = try read()
        removeLeftovers(contents)
        do {
            let result = try await body(&contents)
            try write(contents)
            removeLeftovers(contents)
            return result
        } catch {
            if let kept = try? read() { removeLeftovers(kept) }  // the first error is the one that is reported
            throw error
        }
    }

    /// Takes the lock. A process that only tests the lock holds it for an instant.
    private func take(_ lock: Int32) async throws {
        try await RecordingFolder.lock(lock, LOCK_EX, within: .milliseconds(200)) {
            "another process is recording into '\(path)'; try again when it has ended"
        }
    }

    /// Waits until the process that captured a file has ended, which holds its lock: it ends shortly after its recorder.
    /// - Throws: `CommandFailure`, "try again", where it goes on.
    static func waitForCapture(of source: String) async throws {
        let file = open(source, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        try await lock(file, LOCK_SH, within: .seconds(5)) {
            "another process still writes '\(source)'; try again when it has ended"
        }
    }

    /// Locks an open file.
    /// - Parameter complaint: the message where another process holds its lock for all of the time.
    private static func lock(
        _ file: Int32, _ kind: Int32, within time: Duration, _ complaint: () -> String
    ) async throws {
        guard try await hasLocked(file, kind, within: time) else {
            throw CommandFailure(complaint(), status: ExitStatus.temporaryFailure)
        }
    }

    /// Locks an open file.
    /// - Returns: false where another process holds its lock for all of the time.
    static func hasLocked(_ file: Int32, _ kind: Int32, within time: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + time
        while flock(file, kind | LOCK_NB) != 0 {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Whether a process is changing the recording now.
    var isBeingChanged: Bool {
        let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) != 0
    }

    /// Removes the files that no clip of the recording uses.
    private func removeLeftovers(_ contents: Contents) {
        PartialFile(of: file).removeLeftovers()
        let isOver = contents.recording.state == .finished
        let kept = Set(contents.recording.clips.map { film(of: $0.number, $0.fileType.rawValue) })
            .union(
                isOver
                    ? []
                    : (contents.recording.clips.map(\.number) + [contents.recording.take?.number].compactMap(\.self)).compactMap {
                        contents.inputs[$0]
                    })
        for folder in ["clips", "incoming"] {
            // An unreadable folder is skipped.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [] {
                let file = "\(path)/\(folder)/\(name)"
                if !kept.contains(file) { unlink(file) }
            }
        }
    }

    // MARK: Places

    /// The path of a clip's film.
    func film(of number: Int, _ type: String) -> String { "\(path)/clips/\(RecordingFolder.digits(number)).\(type)" }

    /// The path of a clip's captured media.
    func incoming(of number: Int) -> String { "\(path)/incoming/\(RecordingFolder.digits(number))" }

    static func digits(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    /// The recording's own files and the sources of its clips.
    func files(_ contents: Contents) -> [OutputCheck.Input] {
        [OutputCheck.Input(place: "the recording", path: file)]
            + contents.recording.clips.flatMap { clip in
                [
                    OutputCheck.Input(
                        place: "the film of clip \(clip.number)", path: film(of: clip.number, clip.fileType.rawValue))
                ] + (contents.inputs[clip.number].map { [.init(place: "the input of clip \(clip.number)", path: $0)] } ?? [])
            }
    }

    /// The recording as clients see it.
    func status(_ contents: Contents) -> RecordingStatus {
        RecordingStatus(
            contents.recording, url: { film(of: $0.number, $0.fileType.rawValue) },
            input: { clip in
                contents.inputs[clip.number].flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
            })
    }
}
