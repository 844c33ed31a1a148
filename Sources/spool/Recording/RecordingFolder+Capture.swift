import CommandLineInterface
import ExportPlan
import Recorder
import FoundationEssentials
import Glibc

/// The capture of a clip, as other commands see it:
///
///     capture.json    what has come in so far, and the process that captures; replaced about twice a second
extension RecordingFolder {
    private var captureFile: String { "\(path)/capture.json" }

    /// Notes how the capture comes along.
    func note(_ capture: OngoingCapture) {
        // When it cannot be written, only `status` and `stop` miss it; the capture itself says when a disk is full.
        try? JSONEncoder().encode(capture).write(to: URL(fileURLWithPath: captureFile), options: .atomic)
    }

    /// Notes that nothing is captured.
    func forgetCapture() { unlink(captureFile) }

    /// The capture that goes on now; nil where there is none.
    func ongoingCapture() -> OngoingCapture? {
        // The note of a recorder that was killed is recognised by the lock, which its capture no longer holds.
        guard let data = FileManager.default.contents(atPath: captureFile),
            let capture = try? JSONDecoder().decode(OngoingCapture.self, from: data), capture.process > 1,
            isBeingCaptured(incoming(of: capture.clip))
        else { return nil }
        return capture
    }

    /// Ends the capture that goes on; what has come in is the clip.
    /// - Returns: the clip's number.
    /// - Throws: `CommandFailure` where nothing is captured, or the process belongs to another user.
    func stopCapture() async throws -> Int {
        guard let capture = ongoingCapture() else {
            throw CommandFailure(
                "nothing is being captured into '\(path)': no append reads a pipe or an address", status: ExitStatus.badInput)
        }
        guard kill(capture.process, SIGINT) == 0 || errno == ESRCH else {
            throw CommandFailure(
                "the capture cannot be ended: \(String(cString: strerror(errno))); end it as the user who began it",
                status: ExitStatus.badInput)
        }
        try await RecordingFolder.waitForCapture(of: incoming(of: capture.clip))
        return capture.clip
    }

    /// Whether a process that captures holds the lock of its file.
    private func isBeingCaptured(_ source: String) -> Bool {
        let file = open(source, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0
    }
}
