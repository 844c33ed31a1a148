import ExportPlan

/// How a conversation with a rendering process ended.
enum ConversationEnd: Sendable {
    /// The feed has no more jobs.
    case over
    /// The process closed a pipe in the middle of a job, most likely because it died; the text says which pipe.
    case closed(String)
    /// The process broke the protocol; the text says how.
    case violatedProtocol(String)
    /// The process broke the protocol between two jobs, so that it must not get the next job.
    case unusable
}

/// The conversation of one slot with one process: it sends orders, reads the answers and reports both to the feed. The
/// process is not trusted and may write anything.
struct Conversation<Feed: JobFeed>: Sendable {
    let feed: Feed
    let current: CurrentAssignment<Feed.Ticket>
    let output: ProcessOutput
    let log: ProcessLog
    /// How long the end of a job's log may come after its result.
    let timeout: Duration
    /// Kills the process.
    let stop: @Sendable () -> Void
    let send: @Sendable ([UInt8]) async throws -> Void

    /// Sends the process one job after another. On return, `current` holds the job that the process was doing, or that
    /// it could not be given.
    /// - Throws: the errors of the feed's `ended`.
    func hold() async throws -> ConversationEnd {
        var number = 1
        if await current.assignment == nil {
            guard let first = await feed.next() else { return .over }
            await current.set(first)
        }
        let first = await current.assignment?.order
        while let assignment = await current.assignment {
            await feed.started(assignment.ticket, stop: stop)
            let outcome: JobOutcome
            switch await answer(to: assignment, number) {
            case .outcome(let answer): outcome = answer
            case .none(let end):
                if case .unusable = end { await current.giveBack() }
                return end
            }
            let (text, isComplete) = await log.take(atMost: timeout)
            await current.set(nil)
            try await feed.ended(assignment.ticket, outcome, log: text)
            guard isComplete else { return .unusable }
            guard let next = await feed.next() else { return .over }
            await current.set(next)
            // A process that a medium has taken over does not learn of another tenant's job.
            let isOfSameFiles = first.map { next.order.hasFiles(of: $0) } ?? true
            guard await output.isSilent, isOfSameFiles else {
                await current.giveBack()
                return .unusable
            }
            number += 1
        }
        return .over
    }

    private enum Answer {
        case outcome(JobOutcome)
        case none(ConversationEnd)
    }

    /// Sends an order and reads messages until one says how the job ended.
    private func answer(to assignment: Assignment<Feed.Ticket>, _ number: Int) async -> Answer {
        var order = assignment.order
        order.number = number
        let line: [UInt8]
        do {
            line = try MessageLine.encode(order)
        } catch {
            return .none(.violatedProtocol("its order cannot be encoded: \(error)"))
        }
        do {
            try await send(line)
        } catch {
            return .none(.closed("closed its standard input"))
        }
        while true {
            switch await output.next() {
            case .line(let bytes):
                guard let report = try? MessageLine.decode(ChildReport.self, bytes) else {  // any other text
                    return .none(.violatedProtocol("it wrote a line that is not a message: \(quoted(bytes))"))
                }
                guard report.order == number else {
                    // A message about an earlier job; this job has not failed by it.
                    if (1..<number).contains(report.order) { return .none(.unusable) }
                    return .none(.violatedProtocol("it answered an order that it was not given: \(quoted(bytes))"))
                }
                await current.noteAnswer()
                switch report.message {
                case .progress(let done): await feed.progress(assignment.ticket, done: done)
                case .finished(let result): return .outcome(.finished(result.bounded))
                case .failed(let failure): return .outcome(.failed(failure.bounded))
                }
            case .tooLong(let bytes):
                return .none(.violatedProtocol("it wrote a line of more than \(bytes.count) bytes: \(quoted(bytes))"))
            case .end(let rest) where rest.isEmpty: return .none(.closed("closed its standard output"))
            case .end(let rest): return .none(.violatedProtocol("it ended in the middle of a line: \(quoted(rest))"))
            }
        }
    }
}

/// The job of a slot's process; nil between two jobs, and before the first one.
actor CurrentAssignment<Ticket: Sendable> {
    private(set) var assignment: Assignment<Ticket>?
    /// Whether the process has not begun the job, so that another process may do it.
    private(set) var isUntouched = false
    private(set) var process: StartedProcess?
    /// Whether exit code 0 would mean that the process ended between two jobs, or before the first one: it has not begun
    /// the job that it was given while it waited.
    private(set) var exitedBetweenJobs = false

    init(_ assignment: Assignment<Ticket>?) {
        self.assignment = assignment
    }

    func set(_ assignment: Assignment<Ticket>?) {
        self.assignment = assignment
        exitedBetweenJobs = true
    }

    /// Records that the process has begun the job.
    func noteAnswer() { exitedBetweenJobs = false }

    func giveBack() { isUntouched = true }

    func note(_ process: StartedProcess) { self.process = process }
}

extension JobFailure {
    /// The failure with its texts cut to lengths that a database and a reader can take, because the process is not
    /// trusted.
    fileprivate var bounded: JobFailure {
        var failure = self
        failure.subject = String(subject.prefix(4096))
        failure.message = String(message.prefix(4096))
        failure.missingArtifacts = missingArtifacts.map { Array($0.prefix(100_000)) }
        failure.changedSource = changedSource.map { String($0.prefix(4096)) }
        failure.damagedAsset = damagedAsset.map { String($0.prefix(64)) }
        return failure
    }
}

extension JobResult {
    /// The result with at most as many warnings as a draft may have diagnostics.
    fileprivate var bounded: JobResult {
        var result = self
        result.warnings = warnings.map { Array($0.prefix(1000)) }
        return result
    }
}
