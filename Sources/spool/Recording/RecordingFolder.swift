import DraftModel
import ExactTime
import OwnedFiles
import Recorder
import Vocabulary

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

/// A recording on this machine: a directory of its own.
///
///     recording.json     the recording, replaced in one step; what it does not name is not there
///     clips/0001.mp4     the clips' films
///     incoming/0001      what came through pipes, kept for snapshots until the recording is over
///     lock               held by the process that changes it; the system lets go of it when that ends, however it ends
struct RecordingFolder {
    /// What `recording.json` holds.
    struct Contents: Codable {
        var version = 1
        var recording: Recording
        /// The incoming media of each clip, by its number: a path, in the directory or elsewhere.
        var inputs: [Int: String] = [:]
    }

    let path: String

    init(_ path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    }

    private var file: String { "\(path)/recording.json" }

    /// Begins a recording in a directory that has none.
    /// - Throws: `CommandFailure` when it cannot be written, or has something in it.
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
                "'\(path)' cannot be created or written; name a place that this user may write", status: ExitStatus.cannotCreate)
        }
        try write(Contents(recording: recording))
    }

    /// - Throws: `CommandFailure` when there is none that can be read.
    func read() throws -> Contents {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(
                "there is no recording in '\(path)'; begin one: spool record new \(path)", status: ExitStatus.badInput)
        }
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            throw CommandFailure("'\(file)' cannot be read: \(error)", status: ExitStatus.badInput)
        }
    }

    /// Replaces `recording.json` in one step.
    func write(_ contents: Contents) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try OutputOptions.write(try encoder.encode(contents) + Data("\n".utf8), to: file)
    }

    // MARK: Changing it

    /// Changes the recording, as the only process that does, and tidies up what others left that were killed.
    /// - Throws: `CommandFailure`, "try again", while another process has it.
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
            if let kept = try? read() { removeLeftovers(kept) }  // what went wrong before is told
            throw error
        }
    }

    /// Takes the lock. Who only looks whether it is free has it for an instant, too, so it is tried for a moment.
    private func take(_ lock: Int32) async throws {
        let deadline = ContinuousClock.now + .milliseconds(200)
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(
                    "another process is recording into '\(path)'; try again when it has ended", status: ExitStatus.tryAgain)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether a process is changing it right now.
    var isBeingChanged: Bool {
        let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) != 0
    }

    /// Removes what no clip of the recording is made of.
    private func removeLeftovers(_ contents: Contents) {
        PartialFile(of: file).removeLeftovers()
        let isOver = contents.recording.state == .finished
        let kept = Set(contents.recording.clips.map { film(of: $0.number, $0.fileType.rawValue) })
            .union(isOver ? [] : contents.recording.clips.compactMap { contents.inputs[$0.number] })
        for folder in ["clips", "incoming"] {
            // An unreadable one has nothing to tidy.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [] {
                let file = "\(path)/\(folder)/\(name)"
                if !kept.contains(file) { unlink(file) }
            }
        }
    }

    // MARK: Places

    /// Where a clip's film is, or will be.
    func film(of number: Int, _ type: String) -> String { "\(path)/clips/\(RecordingFolder.digits(number)).\(type)" }

    /// Where what comes in for a clip is kept.
    func incoming(of number: Int) -> String { "\(path)/incoming/\(RecordingFolder.digits(number))" }

    private static func digits(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    /// Its own files, and what its clips are made from.
    func files(_ contents: Contents) -> [OutputCheck.Input] {
        [OutputCheck.Input(place: "the recording", path: file)]
            + contents.recording.clips.flatMap { clip in
                [
                    OutputCheck.Input(
                        place: "the film of clip \(clip.number)", path: film(of: clip.number, clip.fileType.rawValue))
                ] + (contents.inputs[clip.number].map { [.init(place: "what came in for clip \(clip.number)", path: $0)] } ?? [])
            }
    }

    /// As clients see it.
    func status(_ contents: Contents) -> RecordingStatus {
        RecordingStatus(
            contents.recording, url: { film(of: $0.number, $0.fileType.rawValue) },
            input: { clip in
                contents.inputs[clip.number].flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
            })
    }
}
