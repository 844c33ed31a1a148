import ExportPlan

/// How long looking at a source may take by the clock. The processor time of a probe has a limit of its own (`MediaLimits`), but a file on slow
/// storage uses none while it holds a slot of a worker.
public struct ProbeTimeLimit: Hashable, Sendable {
    /// Time for everything but reading.
    public var base: Duration
    /// How fast the storage has to be: reading all bytes of the source at this rate is added to `base`.
    public var bytesPerSecond: Int

    /// By default 10 minutes, and the time to read the file at 10 MB/s.
    public init(base: Duration = .seconds(600), bytesPerSecond: Int = 10_000_000) {
        self.base = base
        self.bytesPerSecond = bytesPerSecond
    }

    package func time(forBytes count: Int) -> Duration { base + .seconds(Double(count) / Double(bytesPerSecond)) }
}

/// The time that one look at a source has taken, and how much of it went into reading. `SourceFile` and the loops of a probe ask it whether
/// they may go on.
package final class ProbeTimer {
    private let path: String
    private let byteCount: Int
    private let limit: Duration
    private let now: () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private var readingTime = Duration.zero

    /// - Parameters:
    ///   - byteCount: the source's size.
    ///   - now: the time.
    package init(
        _ path: String, byteCount: Int, _ limit: ProbeTimeLimit, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.path = path
        self.byteCount = byteCount
        self.limit = limit.time(forBytes: byteCount)
        self.now = now
        start = now()
    }

    /// Does what reads the source.
    package func reading<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        let began = now()
        defer { readingTime += began.duration(to: now()) }
        return try read()
    }

    /// Whether there is no more time.
    package var isOver: Bool { start.duration(to: now()) > limit }

    /// - Throws: `MediaError` where there is no more time: `cannotRead` where most of it went into reading, `overLimit` else.
    package func check() throws(MediaError) {
        let elapsed = start.duration(to: now())
        guard elapsed > limit else { return }
        let (seconds, read) = (limit.components.seconds, readingTime.components.seconds)
        guard readingTime * 2 > elapsed else {
            throw MediaError(
                .overLimit, subject: path,
                message: "takes more than \(seconds) s to look at, \(read) s of them to read; encode it anew, or shorten it")
        }
        throw MediaError(
            .cannotRead, subject: path,
            message: "is read too slowly: \(read) s did not suffice for its \(byteCount) bytes; check the disk or network that "
                + "holds it")
    }
}
