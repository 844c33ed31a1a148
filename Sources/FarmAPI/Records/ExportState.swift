/// The state of an export; `ExportLifecycle` has the transitions.
package enum ExportState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Accepted; its sources are not probed yet.
    case submitted
    /// Probe jobs look at its sources.
    case probing
    /// Compiled into jobs.
    case rendering
    case completed, failed, cancelled

    /// Whether the export is over: nothing changes it any more, except an operator who retries a failed one.
    package var isTerminal: Bool { self == .completed || self == .failed || self == .cancelled }
}
