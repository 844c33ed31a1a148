import CommandLineInterface
import DraftModel
import FarmAPI
import FoundationEssentials
import Glibc

/// What this machine captures for a recording on a farm, until the farm has it as a clip. It outlives a client that is
/// killed, and the next command that changes the recording uploads it.
///
///     $XDG_STATE_HOME/spool-captures/ID/0001.json     how the clip is recorded; locked by its client while that lives
///     $XDG_STATE_HOME/spool-captures/ID/0001.media    what came in, locked by the process that captures
struct FarmCaptures {
    let path: String

    /// The captures for a recording, in the directory of this user's state.
    init(of id: RecordingID, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        path = "\(base ?? "\(environment["HOME"] ?? "/tmp")/.local/state")/spool-captures/\(id)"
    }

    /// Begins a capture, whose file does not exist yet.
    /// - Throws: `CommandFailure` where the directory cannot be written.
    func begin(_ clip: ClipSettings) throws -> FarmCapture {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw cannotWrite() }
        var number = (numbers.last ?? 0) + 1
        while true {
            let note = notePath(number)
            let lock = open(note, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            // Another client may begin a capture at the same time.
            if lock < 0, errno == EEXIST {
                number += 1
                continue
            }
            guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw cannotWrite() }
            let capture = FarmCapture(clip: clip, note: note, media: mediaPath(number), lock: lock)
            let content = try JSONEncoder().encode(clip)
            guard content.withUnsafeBytes({ write(lock, $0.baseAddress, $0.count) }) == content.count, fsync(lock) == 0 else {
                capture.remove()
                throw cannotWrite()
            }
            return capture
        }
    }

    /// What clients that have ended left behind, the oldest first. Their locks are held by this process from here on.
    func interrupted() -> [FarmCapture] {
        numbers.compactMap { number in
            let note = notePath(number)
            let lock = open(note, O_RDWR | O_CLOEXEC)
            guard lock >= 0 else { return nil }
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                close(lock)
                return nil
            }
            // A note that is cut off was being written when its client was killed, before anything came in.
            let clip = FileManager.default.contents(atPath: note).flatMap {
                try? JSONDecoder().decode(ClipSettings.self, from: $0)
            }
            return FarmCapture(clip: clip ?? ClipSettings(), note: note, media: mediaPath(number), lock: lock)
        }
    }

    /// Removes what clients that have ended left behind.
    /// - Parameter onlyLast: whether all but the newest stays.
    /// - Returns: how many captures are removed.
    func discard(onlyLast: Bool = false) -> Int {
        let captures = interrupted()
        let discarded = onlyLast ? captures.suffix(1) : captures[...]
        discarded.forEach { $0.remove() }
        return discarded.count
    }

    private var numbers: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []  // no directory: nothing was captured
        return names.compactMap { $0.hasSuffix(".json") ? Int($0.dropLast(5)) : nil }.sorted()
    }

    private func notePath(_ number: Int) -> String { "\(path)/\(RecordingFolder.digits(number)).json" }

    private func mediaPath(_ number: Int) -> String { "\(path)/\(RecordingFolder.digits(number)).media" }

    private func cannotWrite() -> CommandFailure {
        CommandFailure(
            "'\(path)' cannot be written: \(String(cString: strerror(errno))); set XDG_STATE_HOME to a directory that can",
            status: ExitStatus.cannotCreate)
    }
}

/// One capture, whose note this process has locked.
final class FarmCapture: Sendable {
    let clip: ClipSettings
    /// The path of what came in. The file exists from the beginning of the capture on.
    let media: String
    private let note: String
    private let lock: Int32

    init(clip: ClipSettings, note: String, media: String, lock: Int32) {
        (self.clip, self.note, self.media, self.lock) = (clip, note, media, lock)
    }

    deinit { close(lock) }

    /// How many bytes came in.
    var byteCount: Int {
        var status = stat()
        return stat(media, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Removes the capture, which is a clip now, or wanted by nobody.
    func remove() {
        unlink(media)
        unlink(note)
    }

    /// Keeps the media and forgets that they are to become a clip.
    func setAside() { unlink(note) }
}
