import ExportPlan
import Media
import Synchronization
import TestSupport
import Testing

@Suite("The time that a probe may take by the clock")
struct ProbeTimerTests {
    /// A clock that a test sets.
    private final class SetClock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    private let clock = SetClock()

    private func timer(byteCount: Int = 0) -> ProbeTimer {
        ProbeTimer("clip.mp4", byteCount: byteCount, ProbeTimeLimit(), now: { [clock] in clock.now })
    }

    private func failure(_ body: () throws -> Void) -> MediaError? {
        do {
            try body()
            return nil
        } catch { return error as? MediaError }
    }

    @Test(
        "is 10 minutes, and the time to read the file at 10 MB/s",
        arguments: [(0, 600), (10_000_000, 601), (36_000_000_000, 4200)])
    func limit(_ byteCount: Int, _ seconds: Int) throws {
        let timer = timer(byteCount: byteCount)
        clock.advance(by: .seconds(seconds))
        try timer.check()
        #expect(!timer.isOver)
        clock.advance(by: .milliseconds(1))
        #expect(timer.isOver)
        #expect(failure(timer.check)?.message.contains("\(seconds) s") == true)
    }

    @Test("is the storage's fault where most of it went into reading")
    func slowReading() {
        let timer = timer()
        timer.reading { clock.advance(by: .seconds(400)) }
        clock.advance(by: .seconds(201))
        let failure = failure(timer.check)
        #expect(failure?.code == .cannotRead)
        #expect(failure?.failureClass == .storage)
        #expect(failure?.message.contains("is read too slowly") == true)
    }

    @Test("is the source's fault where most of it went into decoding")
    func slowDecoding() {
        let timer = timer()
        timer.reading { clock.advance(by: .seconds(200)) }
        clock.advance(by: .seconds(401))
        let failure = failure(timer.check)
        #expect(failure?.code == .overLimit)
        #expect(failure?.failureClass == .input)
        #expect(failure?.message == "takes more than 600 s to look at, 200 s of them to read; encode it anew, or shorten it")
    }

    @Test("ends the probe of a file whose packets take too long, whatever libav makes of it", arguments: ["mp4", "mkv", "wav"])
    func probe(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip.\(type)")
        let picture = type == "wav" ? [] : ["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=2"]
        try await FFmpegTool.ffmpeg(picture + ["-f", "lavfi", "-i", "sine=duration=2", path])
        let file = try SourceFile(path: path)
        file.limitTime(ProbeTimeLimit(), now: { [clock] in clock.now })
        let error = failure { _ = try Probe.facts(of: file) { _ in clock.advance(by: .seconds(100)) } }
        #expect(error?.code == .overLimit, "\(String(describing: error))")
        #expect(try Probe.facts(ofFile: path).audio != nil)
    }

    @Test("ends the hashing of a file, too")
    func hashing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("large")
        _ = try await ShellTool.run("head -c 5000000 /dev/zero > '\(path)'")
        let file = try SourceFile(path: path)
        file.limitTime(ProbeTimeLimit(), now: { [clock] in clock.now })
        var pieces = 0
        let error = failure {
            _ = try file.contentHash {
                pieces += 1
                clock.advance(by: .seconds(400))
            }
        }
        #expect(pieces == 2)
        #expect(error?.code == .cannotRead, "\(String(describing: error))")
    }
}
