package import NIOCore

/// How long a connection may go on without progress. Callers report the bytes that arrive and leave, and the next
/// deadline comes out. It is a plain value without a clock; `ConnectionGuard` feeds it and acts.
///
/// Only the client's time counts: while the server does not read, a body may wait. The time of a whole request is the
/// exception. It ends every request, whoever is slow.
package struct RequestPace {
    /// What the client failed to do in time.
    package enum Fault: Hashable, Sendable {
        /// No request came; the connection is closed without an answer.
        case idle
        /// A head was begun, or a connection opened, and no complete head came.
        case head
        /// The body stopped arriving.
        case bodyPause
        /// The body came too slowly on average.
        case bodyRate
        /// The whole body took too long.
        case bodyTime
        /// The client did not read the answer.
        case answer
        /// The body goes on although the request was answered.
        case linger
        /// The whole request took too long, up to the end of its answer.
        case request
    }

    private enum Reading {
        case nothing(since: NIODeadline)
        case head(since: NIODeadline)
        case body(Body)
    }

    private struct Body {
        var since: NIODeadline
        var lastBytes: NIODeadline
        var byteCount: Int64 = 0
        var limit: TimeAmount
        /// How long the server did not read, in all.
        var paused = TimeAmount.zero
    }

    private let limits: RequestLimits
    private var reading: Reading
    /// The number of requests whose head has arrived and whose answer is not complete.
    package private(set) var unanswered = 0
    /// Whether a part of the answer to the oldest of these requests has been sent.
    package private(set) var isAnswering = false
    private var notReadingSince: NIODeadline?
    private var unsent = 0
    private var lastSent: NIODeadline
    private var lingersSince: NIODeadline?
    /// When the request began that is answered next; nil between two requests. A request that waited for the answer to
    /// an earlier one begins with the end of that answer.
    private var requestSince: NIODeadline?

    package init(_ limits: RequestLimits, openedAt now: NIODeadline) {
        self.limits = limits
        // An opened connection counts as the beginning of a request.
        reading = .head(since: now)
        lastSent = now
    }

    // MARK: What happens

    package mutating func received(_ byteCount: Int, at now: NIODeadline) {
        requestSince = requestSince ?? now
        switch reading {
        case .nothing: reading = .head(since: now)
        case .head: break
        case .body(var body):
            body.byteCount += Int64(byteCount)
            body.lastBytes = now
            reading = .body(body)
        }
    }

    package mutating func headArrived(isUpload: Bool, at now: NIODeadline) {
        unanswered += 1
        requestSince = requestSince ?? now
        let limit = isUpload ? limits.uploadTime : limits.documentTime
        reading = .body(Body(since: now, lastBytes: now, limit: TimeAmount(limit)))
    }

    package mutating func requestEnded(at now: NIODeadline) {
        reading = .nothing(since: now)
        lingersSince = nil
        if unanswered == 0 { requestSince = nil }
    }

    package mutating func answerBegan() { isAnswering = true }

    package mutating func answerEnded(at now: NIODeadline) {
        unanswered = max(0, unanswered - 1)
        isAnswering = false
        requestSince = unanswered > 0 ? now : nil
        switch reading {
        case .nothing: reading = .nothing(since: now)
        case .head:
            reading = .head(since: now)
            requestSince = now
        case .body where unanswered == 0: lingersSince = now
        case .body: break
        }
    }

    /// Says that the server waits for bytes from now on.
    package mutating func startedReading(at now: NIODeadline) {
        guard let since = notReadingSince else { return }
        notReadingSince = nil
        guard case .body(var body) = reading else { return }
        body.paused = body.paused + (now - max(since, body.since))
        body.lastBytes = max(body.lastBytes, now)
        reading = .body(body)
    }

    /// Says that the server reads no more bytes for now.
    package mutating func stoppedReading(at now: NIODeadline) {
        if notReadingSince == nil { notReadingSince = now }
    }

    package mutating func sends(at now: NIODeadline) {
        if unsent == 0 { lastSent = now }
        unsent += 1
    }

    package mutating func sent(at now: NIODeadline) {
        unsent -= 1
        lastSent = now
    }

    // MARK: What follows

    /// The next deadline and the fault if it passes; nil while no time is limited.
    package var deadline: (at: NIODeadline, fault: Fault)? {
        var deadlines: [(at: NIODeadline, fault: Fault)] = []
        if unsent > 0 { deadlines.append((lastSent + TimeAmount(limits.answerPause), .answer)) }
        if let lingersSince { deadlines.append((lingersSince + TimeAmount(limits.lingerTime), .linger)) }
        if let requestSince { deadlines.append((requestSince + TimeAmount(limits.requestTime), .request)) }
        switch reading {
        case .nothing(let since):
            if unanswered == 0 { deadlines.append((since + TimeAmount(limits.idleTime), .idle)) }
        case .head(let since):
            // While earlier requests wait for their answers, the server may have stopped reading, so this time does not
            // count.
            if unanswered == 0 { deadlines.append((since + TimeAmount(limits.headTime), .head)) }
        case .body(let body):
            guard notReadingSince == nil, lingersSince == nil else { break }
            let pause = TimeAmount(limits.bodyPause)
            // Computed as a floating-point number, because the nanoseconds of a body of many gigabytes overflow an
            // integer.
            let earned = TimeAmount.nanoseconds(Int64(min(1e18, Double(body.byteCount) * 1e9 / Double(max(1, limits.bodyRate)))))
            deadlines.append((body.lastBytes + pause, .bodyPause))
            deadlines.append((body.since + body.paused + pause + earned, .bodyRate))
            deadlines.append((body.since + body.paused + body.limit, .bodyTime))
        }
        return deadlines.min { $0.at < $1.at }
    }

    /// Whether an error can still be answered: no earlier request waits for its answer, and no answer has begun.
    package var mayAnswer: Bool { unanswered <= 1 && !isAnswering && lingersSince == nil }
}
