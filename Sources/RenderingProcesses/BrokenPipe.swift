#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What happens when an order is written to a process that has just gone: by default the signal SIGPIPE would end this program
/// with it, and a worker with all its slots.
enum BrokenPipe {
    /// From now on such a write fails as any other does. That is done once, and not where the program has decided otherwise.
    static func isNoSignal() { _ = once }

    // A handler that does nothing and not SIG_IGN, which every program that this one starts would inherit.
    private static let once: Void = {
        if let decided = signal(SIGPIPE, { _ in }) { signal(SIGPIPE, decided) }
    }()
}
