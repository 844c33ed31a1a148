import Glibc

/// A thread beside the one that runs the jobs. It is awaited, or left to run until the process ends.
struct WorkThread {
    private let thread: pthread_t

    /// - Parameter body: what the thread does. It owns all that it uses.
    /// - Returns: nil when the system gives no thread.
    init?(_ body: @escaping () -> Void) {
        var thread = pthread_t()
        let passed = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, passed.toOpaque())
        guard code == 0 else {
            passed.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits for the end of the thread. It is called at most once.
    func join() { pthread_join(thread, nil) }

    /// Leaves the thread to itself.
    func detach() { pthread_detach(thread) }

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }
}
