import RenderMessages

/// How a conversation with a rendering process ended.
enum ConversationEnd: Sendable {
    /// The feed has no more jobs.
    case over
    /// The process closed a pipe in the middle of a job, most likely because it died; the text says what it did.
    case closed(String)
    /// What it wrote cannot be believed; the text says why.
    case lied(String)
    /// It did not keep to the messages between two jobs: the next job is not for it.
    case unusable
}

/// One slot's conversation with one process: orders go in, their answers are read, and the feed hears of both. The process may
/// write anything at all.
struct Conversation<Feed: JobFeed>: Sendable {
    let feed: Feed
    let current: CurrentAssignment<Feed.Ticket>
    let output: ProcessOutput
    let log: ProcessLog
    /// How long the end of a job's log may be behind its result.
    let patience: Duration
    /// Kills the process.
    let stop: @Sendable () -> Void
    let send: @Sendable ([UInt8]) async throws -> Void

    /// Hands over job after job. On return `current` holds the job that the process was working on, or could not be given.
    /// - Throws: what the feed's `ended` throws.
    func hold() async throws -> ConversationEnd {
        var number = 1
        while let assignment = await current.assignment {
            await feed.started(assignment.ticket, stop: stop)
            let outcome: JobOutcome
            switch await answer(to: assignment, number) {
            case .outcome(let answer): outcome = answer
            case .none(let end):
                if case .unusable = end { await current.giveBack() }
                return end
            }
            let (text, isComplete) = await log.take(atMost: patience)
            await current.set(nil)
            try await feed.ended(assignment.ticket, outcome, log: text)
            guard isComplete else { return .unusable }
            guard let next = await feed.next() else { return .over }
            await current.set(next)
            guard await output.isSilent else {
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

    /// Gives the process an order and listens until it says how that ended.
    private func answer(to assignment: Assignment<Feed.Ticket>, _ number: Int) async -> Answer {
        var order = assignment.order
        order.number = number
        let line: [UInt8]
        do {
            line = try MessageLine.encode(order)
        } catch {
            return .none(.lied("its order cannot be written down: \(error)"))
        }
        do {
            try await send(line)
        } catch {
            return .none(.closed("closed its standard input"))
        }
        while true {
            switch await output.next() {
            case .line(let bytes):
                guard let report = try? MessageLine.decode(ChildReport.self, bytes) else {  // whatever else it is
                    return .none(.lied("it wrote a line that is no message: \(quoted(bytes))"))
                }
                guard report.order == number else {
                    // Left over from an earlier job, which is nothing that this one has done.
                    if (1..<number).contains(report.order) { return .none(.unusable) }
                    return .none(.lied("it answered an order that it was not given: \(quoted(bytes))"))
                }
                await current.noteAnswer()
                switch report.message {
                case .progress(let done): await feed.progress(assignment.ticket, done: done)
                case .finished(let result): return .outcome(.finished(result))
                case .failed(let failure): return .outcome(.failed(failure))
                }
            case .tooLong(let bytes):
                return .none(.lied("it wrote a line of more than \(bytes.count) bytes: \(quoted(bytes))"))
            case .end(let rest) where rest.isEmpty: return .none(.closed("closed its standard output"))
            case .end(let rest): return .none(.lied("it ended in the middle of a line: \(quoted(rest))"))
            }
        }
    }
}

/// What a slot's process works on; nil between two jobs.
actor CurrentAssignment<Ticket: Sendable> {
    private(set) var assignment: Assignment<Ticket>?
    /// Whether the process has done nothing with it: another one may have it.
    private(set) var isUntouched = false
    private(set) var process: StartedProcess?
    /// Whether a process that ends with exit code 0 now has ended between two jobs: it has done one, and not begun this one.
    private(set) var hasLeftInPeace = false

    init(_ assignment: Assignment<Ticket>) {
        self.assignment = assignment
    }

    func set(_ assignment: Assignment<Ticket>?) {
        self.assignment = assignment
        hasLeftInPeace = true
    }

    /// The process has begun with it.
    func noteAnswer() { hasLeftInPeace = false }

    func giveBack() { isUntouched = true }

    func note(_ process: StartedProcess) { self.process = process }
}
