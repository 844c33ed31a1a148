package import ExactTime
import ExportPlan
import Glibc

/// Where a capture ends by itself. Nil stands for no limit.
package struct CaptureLimits: Hashable, Sendable {
    /// The duration to capture, in the media's own time.
    package var duration: MediaTime?
    /// The size of the file in bytes. The packet that reaches it is the last, so the file may be larger by that packet and
    /// by its index.
    package var byteCount: Int?
    /// The bytes that stay free on the file's disk.
    package var freeByteCount: Int?

    package init(duration: MediaTime? = nil, byteCount: Int? = nil, freeByteCount: Int? = nil) {
        self.duration = duration
        self.byteCount = byteCount
        self.freeByteCount = freeByteCount
    }

    /// Seconds captured beyond the duration, because decoders reorder pictures and need the packets that follow the last one.
    private static let margin = Rational(1, 2)

    /// Whether an input has delivered all that is wanted.
    /// - Parameter reach: what has come from it, in seconds.
    func isReached(at reach: Rational) -> Bool { duration.map { reach >= $0.seconds + CaptureLimits.margin } ?? false }
}

/// Measures the size of a captured file and the room on its disk, and reports how the capture comes along.
struct CaptureMeter {
    private let limits: CaptureLimits
    private let path: String
    private let report: (CapturedMedia) -> Void
    private var reportedAt = ContinuousClock.now
    private var checkedAt: ContinuousClock.Instant?

    /// - Parameter report: is told about twice a second what has come in.
    init(_ limits: CaptureLimits, _ path: String, _ report: @escaping (CapturedMedia) -> Void) {
        self.limits = limits
        self.path = path
        self.report = report
    }

    /// Notes what has come in.
    /// - Parameter reach: seconds.
    /// - Returns: why the capture ends now; nil where it goes on.
    mutating func note(byteCount: Int, reach: Rational) -> CapturedMedia.Ending? {
        let now = ContinuousClock.now
        if reportedAt.duration(to: now) >= .milliseconds(500) {
            reportedAt = now
            report(CapturedMedia(byteCount: byteCount, duration: MediaTime(reach)))
        }
        if let most = limits.byteCount, byteCount >= most { return .size }
        guard let least = limits.freeByteCount, checkedAt.map({ $0.duration(to: now) >= .milliseconds(200) }) ?? true else {
            return nil
        }
        checkedAt = now
        return CaptureMeter.freeByteCount(at: path).map { $0 < least } == true ? .space : nil
    }

    /// The bytes that this user may still write to the file's disk; nil where the system does not say.
    private static func freeByteCount(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
