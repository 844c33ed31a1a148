import Glibc
import Testing
import TextRendering

/// The limit on the processor time of libraries that cannot be interrupted.
@Suite struct LimitedWorkTests {
    @Test("Work that other threads do for it counts, while it waits for them", .timeLimit(.minutes(1)))
    func otherThreads() {
        let result = LimitedWork.result(within: 0.1) {
            // The thread that works; this one waits, and takes no processor time.
            var thread = pthread_t()
            pthread_create(&thread, nil, { _ in burn() }, nil)
            pthread_join(thread, nil)
        }
        guard case .tooSlow = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("Work within its limit has its result")
    func result() {
        guard case .done(5) = LimitedWork.result({ 5 }) else {
            Issue.record("it has none")
            return
        }
    }
}

/// Takes three seconds of processor time.
private func burn() -> UnsafeMutableRawPointer? {
    var used = timespec()
    repeat { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) } while used.tv_sec < 3
    return nil
}
