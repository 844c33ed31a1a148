import ExportPlan
import Media
import Synchronization
import TestSupport
import Testing

@Suite("The time limit of a probe")
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
        "The limit is 10 minutes plus the time to read the file at 10 MB/s",
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

    @Test("A probe that spends its time reading fails with a storage error")
    func slowReading() {
        let timer = timer()
        timer.reading { clock.advance(by: .seconds(400)) }
        clock.advance(by: .seconds(201))
        let failure = failure(timer.check)
        #expect(failure?.code == .cannotRead)
        #expect(failure?.failureClass == .storage)
        #expect(failure?.message.contains("is read too slowly") == true)
    }

    @Test("A probe that spends its time decoding fails with an input error")
    func slowDecoding() {
        let timer = timer()
        timer.reading { clock.advance(by: .seconds(200)) }
        clock.advance(by: .seconds(401))
        let failure = failure(timer.check)
        #expect(failure?.code == .overLimit)
        #expect(failure?.failureClass == .input)
        #expect(failure?.message == "takes more than 600 s to probe, 200 s of them to read; encode it again, or shorten it")
    }

    @Test("A probe ends when its time is used up, whatever libav makes of it", arguments: ["mp4", "mkv", "wav"])
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

    @Test("The hashing of a file ends at the limit, too")
    func hashing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("large")
        _ = try await ShellTool.run("head -c 5000000 /dev/zero > '\(path)'")
        let file = try SourceFile(path: path)
        file.limitTime(ProbeTimeLimit(), now: { [clock] in clock.now })
        var chunks = 0
        let error = failure {
            _ = try file.contentHash {
                chunks += 1
                clock.advance(by: .seconds(400))
            }
        }
        #expect(chunks == 2)
        #expect(error?.code == .cannotRead, "\(String(describing: error))")
    }
}
