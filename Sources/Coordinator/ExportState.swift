/// Where an export stands. The arrows are all there are:
///
///     submitted ──▶ probing ──▶ rendering ──▶ completed
///         │            │            │
///         └────────────┴────────────┴──▶ failed, cancelled
public enum ExportState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Accepted; its sources are not looked at yet.
    case submitted
    /// Its sources are being looked at by probe jobs.
    case probing
    /// Compiled into jobs.
    case rendering
    case completed, failed, cancelled

    /// Whether it is over: nothing changes any more.
    public var isTerminal: Bool { self == .completed || self == .failed || self == .cancelled }

    /// Whether an export may go from here to `next`.
    public func mayBecome(_ next: ExportState) -> Bool {
        switch (self, next) {
        case (.submitted, .probing), (.probing, .rendering), (.rendering, .completed): true
        case (_, .failed), (_, .cancelled): !isTerminal
        default: false
        }
    }
}
