import Glibc

/// Ignores SIGPIPE. The system sends it when an order is written to a process that has just ended; by default it would
/// end this program, and a worker with all its slots.
enum BrokenPipe {
    /// From now on, such a write fails with an error. This is done once, and not if the program has already chosen
    /// another handler.
    static func isNoSignal() { _ = once }

    // An empty handler is used instead of SIG_IGN, because programs that this one starts would inherit SIG_IGN.
    private static let once: Void = {
        if let decided = signal(SIGPIPE, { _ in }) { signal(SIGPIPE, decided) }
    }()
}
