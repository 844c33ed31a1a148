import CommandLineInterface
import ExactTime
import ExportPlan
import Recorder
import Glibc
import Synchronization
import Vocabulary

/// Follows the capture of a clip: shows what has come in, and ends the capture when the user interrupts the command.
final class CaptureWatch: Sendable {
    private struct State {
        var process: pid_t?
        /// The clip and its recording on this machine.
        var place: (clip: Int, folder: RecordingFolder)?
    }

    private let state = Mutex(State())
    private let printsEvents: Bool

    /// - Parameter printsEvents: whether every update is a line of JSON on standard output.
    init(printsEvents: Bool = false) {
        self.printsEvents = printsEvents
    }

    /// Names the clip whose capture follows. A farm numbers a clip only when its media are uploaded.
    /// - Parameter folder: the recording on this machine, in which other commands see how the capture comes along.
    func begin(_ number: Int, in folder: RecordingFolder) { state.withLock { $0.place = (number, folder) } }

    /// Notes the process that captures.
    func started(_ number: pid_t) {
        state.withLock { $0.process = number }
        note(CapturedMedia(byteCount: 0, duration: .zero))
    }

    /// Shows what has come in.
    func note(_ captured: CapturedMedia) {
        let now = state.withLock(\.self)
        guard let process = now.process else { return }
        if let (clip, folder) = now.place { folder.note(OngoingCapture(clip: clip, process: process, captured: captured)) }
        if printsEvents {
            CaptureWatch.printEvent(.init(event: "captured", clip: now.place?.clip, captured: captured))
        } else if Terminal.isInteractive {
            let size = Phrase.bytes(Int64(captured.byteCount))
            Terminal.show(
                ProgressLine(
                    fraction: nil,
                    parts: [.init(captured.seconds, importance: 2), .init(size, importance: 1)]))
        }
    }

    /// Notes that nothing is captured any more.
    func ended() {
        let place = state.withLock { state in
            state.process = nil
            return state.place
        }
        place?.folder.forgetCapture()
        if !printsEvents, Terminal.isInteractive { Terminal.clearProgress() }
    }

    /// Asks the capture to end.
    /// - Returns: false where there is none.
    func stop() -> Bool {
        state.withLock { state in
            guard let process = state.process else { return false }
            return kill(process, SIGINT) == 0
        }
    }

    /// An event as a line of JSON.
    struct Event: Encodable {
        var event: String
        /// The clip's number; nil while media are captured for a recording on a farm.
        var clip: Int?
        var captured: CapturedMedia?
        var recording: RecordingStatus?
    }

    static func printEvent(_ event: Event) {
        // Numbers and names can always be encoded.
        guard let line = try? MessageLine.encode(event) else { return }
        Terminal.print(String(decoding: line.dropLast(), as: UTF8.self))
    }
}

extension CapturedMedia {
    /// How much has come in, to a tenth of a second.
    var seconds: String { "\((duration.seconds.doubleValue * 10).rounded() / 10) s" }
}

/// A capture that goes on, as other commands see it in the recording's directory.
struct OngoingCapture: Codable {
    var clip: Int
    var process: pid_t
    var captured: CapturedMedia
}
