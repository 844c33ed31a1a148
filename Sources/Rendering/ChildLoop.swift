import ArtifactStore
import ContentHashing
import ExportPlan
import Media
import ProcessIsolation
import TextRendering
import Glibc

/// The rendering process: it takes one job at a time from standard input until that is closed.
///
/// It exits at once when its parent closes the pipe, which also happens when the parent dies, so that no orphan goes on
/// rendering.
package struct ChildLoop {
    /// The greatest number of warnings of the media libraries in a job's log.
    private static let warnings = 100

    private let limits: ProcessLimits?
    /// Where messages go: the original standard output. Whatever other code prints there, such as a plug-in, goes into
    /// the log.
    private let parent: ParentPipe

    /// - Parameter limits: nil for a process that renders drafts of its own user.
    package init(limits: ProcessLimits? = nil) {
        self.limits = limits
        parent = ParentPipe(dup(STDOUT_FILENO))
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    package func run() throws {
        ProcessSignals.leaveInterruptionToParent()
        ProcessSignals.letWritesFail()
        OpenFiles.allowMany()
        // The first job decides which files a sandbox has, so the process enters it before it looks at the job itself.
        var next = readLine()
        let files = OrderedFiles(ofOrder: next)
        var usage: ProcessUsage
        var complaint: String?
        if let limits, next != nil {
            limits.apply()
            var sandbox = Sandbox(
                .ofRenderer(files), user: limits.user, controlGroup: limits.controlGroup, omitting: limits.omittedLayers)
            // Its own number is another one in its process namespace, and is no name for its files outside.
            ScratchFile.keepProcess()
            try sandbox.enterNamespaces()
            // The usual place is closed to it, unless it has one of its own.
            let temporary = sandbox.hasOwnFiles ? Sandbox.temporaryDirectory : files.writable.first.map { "\($0)/tmp" }
            if let temporary { setenv("TMPDIR", temporary, 1) }
            usage = ProcessUsage()
            complaint = try sandbox.dropRights().complaint(requiring: limits.requiredLayers)
        } else {
            usage = ProcessUsage()
            Isolation.takeNoNewPrivileges()
        }
        endWithParent()
        if let limits { endWithUnansweredRead(after: limits.readTime) }
        while let line = next {
            if let limits {
                // A job with other files, such as those of another tenant, goes to another process.
                guard OrderedFiles(ofOrder: line) == files else { _exit(0) }
                limits.beginJob()
                MediaRuntime.printWarnings(lines: ChildLoop.warnings)
            }
            usage.begin()
            let failure = try run(line, usage, unless: complaint)
            // A thread that was left behind may hold a lock that the next job needs. What is mounted may have been replaced
            // where storage has failed, and the sandbox keeps what was mounted before. The next job goes to another process.
            if LimitedWork.hasThreadLeft || (limits != nil && failure == .storage) { _exit(0) }
            // Encoders leave much freed memory behind; returning it lets the next job start as small as the first.
            MediaRuntime.returnFreedMemory()
            next = readLine()
        }
    }

    /// Runs the job of an order.
    /// - Parameter complaint: why the process must not run any job; nil where it may.
    /// - Returns: the class of the job's failure; nil where it has succeeded.
    private func run(_ line: String, _ usage: ProcessUsage, unless complaint: String?) throws -> FailureClass? {
        var number = 0
        var storeDirectory: String?
        do {
            let order = try MessageLine.decode(RenderOrder.self, line)
            number = order.number
            parent.begin(order: number)
            storeDirectory = order.store
            try order.checkRenderer()
            if let complaint { throw JobFailure(.environment, subject: "spool-render", message: complaint) }
            if let marker = order.marker { try StoreMarker(file: marker).check() }
            let store = try DirectoryArtifactStore(directory: order.store)
            let runner = JobRunner(
                store: order.awaitsArtifacts == true ? AwaitedArtifacts(store) : store, probeTime: limits?.probeTime,
                decoderThreads: order.decoderThreads ?? 1)
            var last = ContinuousClock.now
            var result = try runner.run(order.job) { done in
                let now = ContinuousClock.now
                guard now - last >= .milliseconds(200) else { return }
                last = now
                parent.send(ChildReport(order: number, .progress(done: done)))
            }
            result.cost.usage = usage.sinceBegin
            end(ChildReport(order: number, .finished(result: result)))
            return nil
        } catch let error as any ClassifiedError {
            return end(order: number, JobFailure(error).ofStorage(in: storeDirectory))
        } catch {
            return end(order: number, JobFailure(.crash, subject: "", message: "unexpected error: \(error)"))
        }
    }

    private func end(order number: Int, _ failure: JobFailure) -> FailureClass {
        end(ChildReport(order: number, .failed(failure: failure)))
        return failure.failureClass
    }

    /// Ends the job's log, then reports the result.
    private func end(_ report: ChildReport) {
        printError(ChildMessage.endOfLog + "\n")
        parent.send(report)
    }

    /// Watches the pipe from the parent in a thread beside the job.
    private func endWithParent() {
        WorkThread {
            var watched = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            while poll(&watched, 1, -1) < 0 || watched.revents & Int16(POLLHUP | POLLERR) == 0 {}
            _exit(0)
        }?.detach()
    }

    /// Watches the reads of sources in a thread beside the job. A read that the storage does not answer within `limit`
    /// ends the process: its job fails because of storage, and the next job goes to another process.
    private func endWithUnansweredRead(after limit: Duration) {
        WorkThread { [parent] in
            while true {
                usleep(200_000)
                guard ReadWatch.ofProcess.overdue(limit) != nil else { continue }
                // The read may have been answered a moment ago; then the job goes on.
                parent.endProcess { ReadWatch.ofProcess.overdue(limit).map { JobFailure(unanswered: $0, for: limit) } }
            }
        }?.detach()
    }
}

extension JobFailure {
    /// Changes the class to `storage` if a file of the artifact store vanished during the job, because then somebody or
    /// the storage removed it, and the draft is not at fault.
    /// - Parameter store: the store's directory.
    fileprivate func ofStorage(in store: String?) -> JobFailure {
        guard failureClass == .input, let store, subject.hasPrefix(store + "/"), access(subject, F_OK) != 0 else { return self }
        var failure = self
        failure.failureClass = .storage
        return failure
    }
}
