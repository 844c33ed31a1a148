import CommandLineInterface
import DraftModel
import FarmAPI
import FoundationEssentials
import Glibc

/// The media that this machine captures for a recording on a farm, until the farm has them as clips. They outlive a client
/// that is killed, and the next command that changes the recording uploads them.
///
///     $XDG_STATE_HOME/spool-captures/ID/NAME.json     how the clip is recorded; locked by its client while that lives
///     $XDG_STATE_HOME/spool-captures/ID/NAME.media    the media, locked by the process that captures them
///
/// Names are given once and are in the order of time. Media without a note are those that the farm refused; they stay.
struct FarmCaptures {
    let path: String

    /// The captures for a recording, in the directory of this user's state.
    init(of id: RecordingID, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // The XDG Base Directory Specification has relative paths ignored.
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = "\(base ?? "\(FileManager.default.homeDirectoryForCurrentUser.path)/.local/state")/spool-captures/\(id)"
    }

    /// Begins a capture, whose media do not exist yet.
    /// - Parameter last: the number of the recording's last clip; 0 where there is none.
    /// - Throws: `CommandFailure` where the directory cannot be written.
    func begin(_ clip: ClipSettings, after last: Int) throws -> FarmCapture {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw cannotWrite() }
        let name = RecordingID().text
        let hidden = "\(path)/.\(name)"
        let lock = open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw cannotWrite() }
        let note = FarmCapture.Note(clip: clip, last: last)
        let capture = FarmCapture(note, at: "\(path)/\(name)", lock: lock)
        // The note gets its name when it is locked and complete, so that nobody takes it for one that was left behind.
        let content = try JSONEncoder().encode(note)
        guard flock(lock, LOCK_EX) == 0,
            content.withUnsafeBytes({ write(lock, $0.baseAddress, $0.count) }) == content.count, fsync(lock) == 0,
            rename(hidden, capture.notePath) == 0
        else {
            let failure = cannotWrite()
            unlink(hidden)
            throw failure
        }
        return capture
    }

    /// The captures that clients left behind which have ended, the oldest first. Their locks are held by this process from
    /// here on.
    func interrupted() async throws -> [FarmCapture] {
        var found: [FarmCapture] = []
        for name in names {
            guard let lock = opened(name) else { continue }
            let capture = FarmCapture(FarmCapture.Note(clip: ClipSettings(), last: 0), at: "\(path)/\(name)", lock: lock)
            // A command that only looks holds the lock for an instant; a client that captures holds it while it lives.
            guard try await RecordingFolder.hasLocked(lock, LOCK_EX, within: .milliseconds(200)),
                let note = capture.readNote()
            else { continue }
            found.append(capture.with(note))
        }
        return found
    }

    /// How many bytes each client that has ended left behind.
    func waiting() -> [Int] {
        names.compactMap { name in
            guard let lock = opened(name) else { return nil }
            defer { close(lock) }
            return flock(lock, LOCK_SH | LOCK_NB) == 0 ? FarmCapture.byteCount("\(path)/\(name).media") : nil
        }
    }

    private func opened(_ name: String) -> Int32? {
        let file = open("\(path)/\(name).json", O_RDWR | O_CLOEXEC)
        return file >= 0 ? file : nil
    }

    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []  // no directory: nothing was captured
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
    }

    private func cannotWrite() -> CommandFailure {
        CommandFailure(
            "'\(path)' cannot be written: \(String(cString: strerror(errno))); name another directory in "
                + "XDG_STATE_HOME",
            status: ExitStatus.cannotCreate)
    }
}

/// One capture, whose note this process has open and, but for a moment, locked.
final class FarmCapture: Sendable {
    /// The contents of a note.
    struct Note: Codable {
        var clip: ClipSettings
        /// The number of the recording's last clip when the capture began.
        var last: Int
    }

    let note: Note
    private let base: String
    private let lock: FileLock

    /// Closes a file with its last owner.
    private final class FileLock: Sendable {
        let file: Int32
        init(_ file: Int32) { self.file = file }
        deinit { close(file) }
    }

    /// - Parameter lock: the open note, which is closed with the capture.
    init(_ note: Note, at base: String, lock: Int32) {
        (self.note, self.base, self.lock) = (note, base, FileLock(lock))
    }

    private init(_ note: Note, _ base: String, _ lock: FileLock) {
        (self.note, self.base, self.lock) = (note, base, lock)
    }

    /// The same capture with the note that was read.
    func with(_ note: Note) -> FarmCapture { FarmCapture(note, base, lock) }

    /// The path of the media. The file exists from the beginning of the capture on.
    var media: String { "\(base).media" }

    var notePath: String { "\(base).json" }

    var byteCount: Int { FarmCapture.byteCount(media) }

    static func byteCount(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads the note through the open file.
    /// - Returns: nil where it was removed meanwhile.
    func readNote() -> Note? {
        var status = stat()
        guard fstat(lock.file, &status) == 0, status.st_nlink > 0, status.st_size <= 1 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard pread(lock.file, &bytes, bytes.count, 0) == bytes.count else { return nil }
        return try? JSONDecoder().decode(Note.self, from: Data(bytes))
    }

    /// Removes the capture, which is a clip now, or wanted by nobody.
    func remove() {
        unlink(media)
        unlink(notePath)
    }

    /// Keeps the media and forgets that they are to become a clip.
    func setAside() { unlink(notePath) }
}
