import Glibc
import Synchronization

/// The outcome of work with a limit on its processor time.
package enum LimitedResult<Value> {
    case done(Value)
    /// It took too long, and its thread is left behind.
    case tooSlow
    /// No thread could be started, for want of memory.
    case noThread
}

/// Runs a library's work that cannot be interrupted, with a limit on its processor time. The work has a thread of its own;
/// where it takes too long the thread is left behind, and the caller goes on.
package enum LimitedWork {
    /// The most processor time of one drawing, in seconds.
    package static let seconds = 60.0
    /// How many times as much processor time the whole process may take meanwhile: a library may draw with threads of its
    /// own, and other threads of the process may have some work left.
    private static let wholeProcess = 3.0
    private static let leftBehind = Atomic<Bool>(false)
    /// Whether a thread of this process was left behind. It may hold locks for ever, so that the process should do no more
    /// work.
    package static var hasThreadLeft: Bool { leftBehind.load(ordering: .relaxed) }
    /// The stack of the thread in bytes: documents may be nested deeply.
    private static let stackBytes = 64 << 20

    /// Runs `body` in a thread of its own and waits for it.
    /// - Parameters:
    ///   - seconds: the most processor time of the thread, and a third of the most of the whole process meanwhile.
    ///   - body: what is done. It owns all that it uses, because it goes on where it takes too long.
    package static func result<Value>(within seconds: Double = seconds, _ body: @escaping () -> Value) -> LimitedResult<Value> {
        let outcome = Outcome<Value>()
        let work = Work { outcome.value = body() }
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, stackBytes)
        defer { pthread_attr_destroy(attributes) }
        var thread = pthread_t()
        let passed = Unmanaged.passRetained(work)
        let code = pthread_create(
            &thread, attributes,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
                return nil
            }, passed.toOpaque())
        guard code == 0 else {
            passed.release()
            return .noThread
        }
        var clock = clockid_t()
        let hasClock = pthread_getcpuclockid(thread, &clock) == 0
        let begun = processorTime(CLOCK_PROCESS_CPUTIME_ID)
        while !work.isDone(within: 0.25) {
            let ofThread = hasClock ? processorTime(clock) : 0
            let ofAll = (processorTime(CLOCK_PROCESS_CPUTIME_ID) - begun) / wholeProcess
            guard max(ofThread, ofAll) <= seconds else {
                leftBehind.store(true, ordering: .relaxed)
                pthread_detach(thread)
                return .tooSlow
            }
        }
        pthread_join(thread, nil)
        return outcome.value.map(LimitedResult.done) ?? .noThread
    }

    /// Seconds of a clock; 0 where it cannot be read.
    private static func processorTime(_ clock: clockid_t) -> Double {
        var used = timespec()
        guard clock_gettime(clock, &used) == 0 else { return 0 }
        return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
    }

    private final class Outcome<Value> {
        var value: Value?
    }

    /// What the thread runs, and the semaphore with which it says that it has ended.
    private final class Work {
        private let body: () -> Void
        private let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init(_ body: @escaping () -> Void) {
            self.body = body
            sem_init(end, 0, 0)
        }

        deinit {
            sem_destroy(end)
            end.deallocate()
        }

        func run() {
            body()
            sem_post(end)
        }

        /// Waits for the end of the thread.
        func isDone(within seconds: Double) -> Bool {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            time.tv_nsec += Int(seconds * 1e9)
            time.tv_sec += time.tv_nsec / 1_000_000_000
            time.tv_nsec %= 1_000_000_000
            return sem_timedwait(end, &time) == 0
        }
    }
}
