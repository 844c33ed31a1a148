import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A process that runs and will be reaped by whoever started it: how it is brought to its end, and how that is noticed.
struct StartedProcess: Sendable {
    private let number: pid_t
    /// Kills it with everything that it has started in its process group.
    let kill: @Sendable () -> Void

    init(_ number: pid_t, kill: @escaping @Sendable () -> Void) {
        self.number = number
        self.kill = kill
    }

    /// Brings it to its end: by itself where that can be expected within `patience`, or else by killing it.
    /// - Returns: what it did wrong; nil where the way it ended says all.
    func bringToEnd(_ end: ConversationEnd, within patience: Duration) async -> String? {
        switch end {
        case .over, .closed:
            let endedByItself = await isGone(within: patience)
            kill()  // also what it has left behind in its group
            guard !endedByItself, case .closed(let what) = end else { return nil }
            return "it \(what) and did not end"
        case .lied(let fault):
            kill()
            return fault
        case .unusable:
            kill()
            return nil
        }
    }

    /// Waits for its end, but for no longer than `patience`. Works in a cancelled task, too.
    /// - Returns: whether it has ended.
    @discardableResult
    func isGone(within patience: Duration) async -> Bool {
        let deadline = ContinuousClock.now + patience
        while !hasEnded {
            guard ContinuousClock.now < deadline else { return false }
            await withCheckedContinuation { woken in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { woken.resume() }
            }
        }
        return true
    }

    /// Looks without reaping it: one that was reaped has ended, too.
    private var hasEnded: Bool {
        var state = siginfo_t()
        guard waitid(P_PID, id_t(number), &state, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno == ECHILD }
        return state.si_signo == SIGCHLD
    }
}
