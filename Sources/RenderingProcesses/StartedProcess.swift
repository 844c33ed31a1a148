import Glibc

/// A running process that another part of the program reaps: it can be ended, and its end can be awaited.
struct StartedProcess: Sendable {
    private let number: pid_t
    /// Kills the process and all processes of its process group.
    let kill: @Sendable () -> Void

    init(_ number: pid_t, kill: @escaping @Sendable () -> Void) {
        self.number = number
        self.kill = kill
    }

    /// Ends the process. Where it can be expected to end by itself, it has `timeout` to do so before it is killed.
    /// - Returns: what it did wrong; nil where its exit status says enough.
    func terminate(_ end: ConversationEnd, within timeout: Duration) async -> String? {
        switch end {
        case .over, .closed:
            let endedByItself = await waitForExit(within: timeout)
            kill()  // also processes that it left in its group
            guard !endedByItself, case .closed(let what) = end else { return nil }
            return "it \(what) and did not end"
        case .violatedProtocol(let fault):
            kill()
            return fault
        case .unusable:
            kill()
            return nil
        }
    }

    /// Waits for the process to end, but at most for `timeout`. It also works in a cancelled task.
    /// - Returns: whether the process has ended.
    @discardableResult
    func waitForExit(within timeout: Duration) async -> Bool {
        let deadline = ContinuousClock.now + timeout
        while !hasEnded {
            guard ContinuousClock.now < deadline else { return false }
            await UncancelledPause.take(milliseconds: 5)
        }
        return true
    }

    /// Looks without reaping the process. A process that was already reaped has ended, too.
    private var hasEnded: Bool {
        var state = siginfo_t()
        guard waitid(P_PID, id_t(number), &state, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno == ECHILD }
        return state.si_signo == SIGCHLD
    }
}
