import Dispatch
import Synchronization
import Glibc

/// A serial executor with its own thread: an actor that runs on it may call C functions that block, and delays no
/// other.
///
///     actor Connection {
///         private let thread = BlockingThread(name: "postgres")
///         nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
///     }
///
/// Swift has as many threads as there are cores: six tasks that block them for 0.7 s delay an unrelated task by 2 s.
/// The actor holds the thread for as long as it lives; the thread ends when its last owner releases it.
package final class BlockingThread: SerialExecutor {
    private let queue = WorkQueue()
    /// Runs tasks on this thread, too. A task that calls the actor again and again prefers it, so that no call changes
    /// the thread.
    package let tasks: any TaskExecutor

    /// - Parameters:
    ///   - name: what `top -H` shows, at most 15 bytes.
    ///   - niceness: how much the system's scheduler prefers other threads (`nice(2)`), 0 to 19. On Linux each thread has
    ///     its own.
    package init(name: String, niceness: Int32 = 0) {
        let queue = queue
        tasks = ThreadTasks(queue)
        startThread(named: name) {
            if niceness > 0 { _ = nice(niceness) }
            queue.run()
        }
    }

    deinit { queue.close() }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(.job(UnownedJob(job), self))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Runs tasks on a thread that belongs to an actor. The thread ends with its last owner, which therefore has to outlive
/// the tasks.
private final class ThreadTasks: TaskExecutor {
    private let queue: WorkQueue

    init(_ queue: WorkQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.add(.task(UnownedJob(job), self))
    }
}

/// Jobs in order of arrival, and the loop that runs them.
private final class WorkQueue: Sendable {
    enum Entry {
        /// A job of the actor.
        case job(UnownedJob, BlockingThread)
        /// A job of a task that prefers the thread.
        case task(UnownedJob, ThreadTasks)
        case end
    }

    private let entries = Mutex<[Entry]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func close() { add(.end) }

    func add(_ entry: sending Entry) {
        entries.withLock { $0.append(entry) }
        arrived.signal()
    }

    /// Runs job after job until the queue is closed.
    func run() {
        while true {
            arrived.wait()
            switch entries.withLock({ $0.removeFirst() }) {
            case .job(let job, let thread):
                job.runSynchronously(on: thread.asUnownedSerialExecutor())
            case .task(let job, let tasks):
                job.runSynchronously(on: tasks.asUnownedTaskExecutor())
            case .end: return
            }
        }
    }
}

/// Starts a detached thread.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            nameThread(start.name)
            start.body()
            return nil
        }, Unmanaged.passRetained(Start(name, body)).toOpaque())
    precondition(code == 0, "the system gives no more threads")
    pthread_detach(thread)
}

/// Names the calling thread, where the system permits it. A thread works as well without a name.
private func nameThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = write(file, name, name.utf8.count)
}
