package import NIOCore

/// How long a connection may go on as it does: what arrives and leaves is reported, and the next deadline comes out. A plain
/// value without a clock; `ConnectionGuard` feeds it and acts.
///
/// Only the client's time counts: while the server does not want to read, a body may wait for as long as it has to.
package struct RequestPace {
    /// What the client did not do in time.
    package enum Fault: Hashable, Sendable {
        /// No request came; the connection closes without a word.
        case idle
        /// A head was begun, or a connection opened, and no whole head came.
        case head
        /// A body stopped.
        case bodyPause
        /// A body came too slowly on average.
        case bodyRate
        /// A body took too long in all.
        case bodyTime
        /// Nothing of an answer was taken.
        case answer
        /// A body goes on although it was answered.
        case linger
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
        /// How long the server did not want to read.
        var paused = TimeAmount.zero
    }

    private let limits: RequestLimits
    private var reading: Reading
    /// Requests with a head that have no whole answer yet.
    package private(set) var unanswered = 0
    /// Whether a part of the answer to the oldest of them has been sent.
    package private(set) var isAnswering = false
    private var notReadingSince: NIODeadline?
    private var unsent = 0
    private var lastSent: NIODeadline
    private var lingersSince: NIODeadline?

    package init(_ limits: RequestLimits, openedAt now: NIODeadline) {
        self.limits = limits
        // A connection is opened for a request.
        reading = .head(since: now)
        lastSent = now
    }

    // MARK: What happens

    package mutating func received(_ byteCount: Int, at now: NIODeadline) {
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
        let limit = isUpload ? limits.uploadTime : limits.documentTime
        reading = .body(Body(since: now, lastBytes: now, limit: TimeAmount(limit)))
    }

    package mutating func requestEnded(at now: NIODeadline) {
        reading = .nothing(since: now)
        lingersSince = nil
    }

    package mutating func answerBegan() { isAnswering = true }

    package mutating func answerEnded(at now: NIODeadline) {
        unanswered = max(0, unanswered - 1)
        isAnswering = false
        switch reading {
        case .nothing: reading = .nothing(since: now)
        case .head: reading = .head(since: now)
        case .body where unanswered == 0: lingersSince = now
        case .body: break
        }
    }

    /// The server waits for bytes.
    package mutating func startedReading(at now: NIODeadline) {
        guard let since = notReadingSince else { return }
        notReadingSince = nil
        guard case .body(var body) = reading else { return }
        body.paused = body.paused + (now - max(since, body.since))
        body.lastBytes = max(body.lastBytes, now)
        reading = .body(body)
    }

    /// The server does not want more bytes for now.
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

    /// The next moment at which something has to have happened; nil while nothing is expected of the client.
    package var deadline: (at: NIODeadline, fault: Fault)? {
        var deadlines: [(at: NIODeadline, fault: Fault)] = []
        if unsent > 0 { deadlines.append((lastSent + TimeAmount(limits.answerPause), .answer)) }
        if let lingersSince { deadlines.append((lingersSince + TimeAmount(limits.lingerTime), .linger)) }
        switch reading {
        case .nothing(let since):
            if unanswered == 0 { deadlines.append((since + TimeAmount(limits.idleTime), .idle)) }
        case .head(let since):
            // While earlier requests wait for their answers nothing more is read, perhaps.
            if unanswered == 0 { deadlines.append((since + TimeAmount(limits.headTime), .head)) }
        case .body(let body):
            guard notReadingSince == nil, lingersSince == nil else { break }
            let pause = TimeAmount(limits.bodyPause)
            // As a floating-point number: the nanoseconds of a body of many gigabytes are more than an integer can hold.
            let earned = TimeAmount.nanoseconds(Int64(min(1e18, Double(body.byteCount) * 1e9 / Double(max(1, limits.bodyRate)))))
            deadlines.append((body.lastBytes + pause, .bodyPause))
            deadlines.append((body.since + body.paused + pause + earned, .bodyRate))
            deadlines.append((body.since + body.paused + body.limit, .bodyTime))
        }
        return deadlines.min { $0.at < $1.at }
    }

    /// Whether the client can still be told why: no answer is owed to an earlier request, and none has begun.
    package var mayAnswer: Bool { unanswered <= 1 && !isAnswering && lingersSince == nil }
}
