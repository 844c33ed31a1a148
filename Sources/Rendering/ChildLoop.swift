import ArtifactStore
import ExportPlan
import Media
import ProcessIsolation
import RenderMessages

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The rendering process: takes jobs from standard input until it closes, one at a time.
///
/// It ends at once when its parent closes the pipe, dies included, so no orphan goes on rendering.
public struct ChildLoop {
    /// How many warnings of the media libraries a job's log may hold.
    private static let warnings = 100

    private let limits: ProcessLimits?
    /// Where messages go: what was standard output. What anybody else prints there, such as a plug-in, goes into the log.
    private let messages: Int32

    /// - Parameter limits: nil for a process that renders its own user's drafts.
    public init(limits: ProcessLimits? = nil) {
        self.limits = limits
        messages = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    public func run() throws {
        // Ctrl-C reaches the whole terminal; the parent decides what it means.
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        // A full disk behind a file size limit is an error, not a death.
        signal(SIGXFSZ, SIG_IGN)
        if let limits { try limits.apply() } else { Isolation.takeNoNewPrivileges() }
        endWithParent()
        while let line = readLine() {
            if let limits {
                limits.beginJob()
                MediaRuntime.printWarnings(lines: ChildLoop.warnings)
            }
            try run(line)
            // Encoders leave large holes behind; the next job starts as small as the first.
            MediaRuntime.returnFreedMemory()
        }
    }

    private func run(_ line: String) throws {
        var number = 0
        var storeDirectory: String?
        do {
            let order = try MessageLine.decode(RenderOrder.self, line)
            number = order.number
            storeDirectory = order.store
            try order.checkRenderer()
            if let marker = order.marker { try StoreMarker(file: marker).check() }
            let runner = JobRunner(
                store: try DirectoryArtifactStore(directory: order.store), probeTime: limits?.probeTime)
            var last = ContinuousClock.now
            let result = try runner.run(order.job) { done in
                let now = ContinuousClock.now
                guard now - last >= .milliseconds(200) else { return }
                last = now
                send(ChildReport(order: number, .progress(done: done)))
            }
            end(ChildReport(order: number, .finished(result: result)))
        } catch let error as any ClassifiedError {
            end(ChildReport(order: number, .failed(failure: JobFailure(error).ofStorage(in: storeDirectory))))
        } catch {
            let failure = JobFailure(.crash, subject: "", message: "unexpected error: \(error)")
            end(ChildReport(order: number, .failed(failure: failure)))
        }
    }

    /// Closes the job's log, then says how it went.
    private func end(_ report: ChildReport) {
        printError(ChildMessage.endOfLog + "\n")
        send(report)
    }

    private func send(_ report: ChildReport) {
        guard let line = ChildLoop.line(report) else { return }
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(messages, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                if count <= 0 { _exit(1) }
                sent += count
            }
        }
    }

    /// A report as a line. What cannot be written as JSON, such as a number that a plug-in says is infinite, fails the job: without any
    /// report it would seem to hang.
    private static func line(_ report: ChildReport) -> [UInt8]? {
        if let line = try? MessageLine.encode(report) { return line }  // the failure follows
        let failure = JobFailure(.crash, subject: "", message: "the result has a number that is infinite or no number")
        // A failure has only texts in it.
        return try? MessageLine.encode(ChildReport(order: report.order, .failed(failure: failure)))
    }

    /// Watches the pipe from the parent beside the work.
    private func endWithParent() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                var watched = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                while poll(&watched, 1, -1) < 0 || watched.revents & Int16(POLLHUP | POLLERR) == 0 {}
                _exit(0)
            }, nil)
        pthread_detach(thread)
    }
}

extension JobFailure {
    /// A file of the artifact store that is gone in the middle of a job is no fault of the draft: somebody removed it, or the
    /// storage lost it.
    /// - Parameter store: the store's directory.
    fileprivate func ofStorage(in store: String?) -> JobFailure {
        guard failureClass == .input, let store, subject.hasPrefix(store + "/"), access(subject, F_OK) != 0 else { return self }
        var failure = self
        failure.failureClass = .storage
        return failure
    }
}
