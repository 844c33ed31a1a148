import ExportPlan

/// The wall-clock limit of a probe. The processor time of a probe has a limit of its own (`MediaLimits`), but a file on
/// slow storage uses none while it occupies a worker's slot.
package struct ProbeTimeLimit: Hashable, Sendable {
    /// The time for everything except reading.
    package var base: Duration
    /// The required speed of the storage. The time to read all bytes of the source at this rate is added to `base`.
    package var bytesPerSecond: Int

    /// Creates a limit, by default 10 minutes plus the time to read the file at 10 MB/s.
    package init(base: Duration = .seconds(600), bytesPerSecond: Int = 10_000_000) {
        self.base = base
        self.bytesPerSecond = bytesPerSecond
    }

    package func time(forBytes count: Int) -> Duration { base + .seconds(Double(count) / Double(bytesPerSecond)) }
}

/// Measures the time of one probe, and how much of it was reading. `SourceFile` and the loops of a probe ask it whether
/// they may continue.
package final class ProbeTimer {
    private let path: String
    private let byteCount: Int
    private let limit: Duration
    private let now: () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private var readingTime = Duration.zero

    /// - Parameters:
    ///   - byteCount: the source's size in bytes.
    ///   - now: returns the current time.
    package init(
        _ path: String, byteCount: Int, _ limit: ProbeTimeLimit, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.path = path
        self.byteCount = byteCount
        self.limit = limit.time(forBytes: byteCount)
        self.now = now
        start = now()
    }

    /// Runs a closure that reads the source, and measures its time.
    package func reading<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        let began = now()
        defer { readingTime += began.duration(to: now()) }
        return try read()
    }

    /// Whether the time is used up.
    package var isOver: Bool { start.duration(to: now()) > limit }

    /// - Throws: `MediaError` if the time is used up: `cannotRead` if more than half of it was reading, otherwise
    ///   `overLimit`.
    package func check() throws(MediaError) {
        let elapsed = start.duration(to: now())
        guard elapsed > limit else { return }
        let (seconds, read) = (limit.components.seconds, readingTime.components.seconds)
        guard readingTime * 2 > elapsed else {
            throw MediaError(
                .overLimit, subject: path,
                message: "takes more than \(seconds) s to probe, \(read) s of them to read; encode it again, or shorten it")
        }
        throw MediaError(
            .cannotRead, subject: path,
            message: "is read too slowly: \(read) s did not suffice for its \(byteCount) bytes; check the disk or network that "
                + "holds it")
    }
}
