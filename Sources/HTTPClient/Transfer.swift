import Dispatch
import Glibc
import Synchronization

/// One request and its answer, between the thread that talks to the server and the task that reads the answer. At most
/// eight chunks wait for the reader; then the thread waits, too, and so does the server.
package final class Transfer: Sendable {
    package static let waitingChunks = 8

    let request: OutgoingRequest
    private let state = Mutex(State())
    /// One signal for each chunk that may still be added.
    private let space = DispatchSemaphore(value: 0)

    private struct State {
        var rules = AddressRules.none
        var refusal: TransferError?
        var head: (status: Int, headers: [(name: String, value: String)])?
        var isHeadComplete = false
        var chunks: [[UInt8]] = []
        var isOver = false
        var failure: (any Error)?
        var headWaiter: CheckedContinuation<Void, any Error>?
        var chunkWaiter: CheckedContinuation<[UInt8]?, any Error>?
        var upload: Upload?
    }

    package init(_ request: OutgoingRequest) {
        self.request = request
        for _ in 0..<Transfer.waitingChunks { space.signal() }
    }

    // MARK: The reader's side

    /// The answer, once its headers are there.
    package func response() async throws -> IncomingResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let ready: Result<Void, any Error>? = state.withLock { state in
                    if state.isHeadComplete { return .success(()) }
                    if state.isOver { return .failure(state.failure ?? Transfer.noAnswer) }
                    state.headWaiter = waiter
                    return nil
                }
                if let ready { waiter.resume(with: ready) }
            }
        } onCancel: {
            cancel()
        }
        let head = state.withLock { $0.head }
        return IncomingResponse(status: head?.status ?? 0, headers: head?.headers ?? [], body: ResponseBody(self))
    }

    /// The next chunk of the body; nil at its end.
    package func nextChunk() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<[UInt8]?, any Error>) in
                let ready: Result<[UInt8]?, any Error>? = state.withLock { state in
                    if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
                    if state.isOver { return state.failure.map { .failure($0) } ?? .success(nil) }
                    state.chunkWaiter = waiter
                    return nil
                }
                guard let ready else { return }
                if case .success(.some) = ready { space.signal() }
                waiter.resume(with: ready)
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the transfer; the thread notices within a second. A transfer that is over stays as it is.
    func cancel() { end(CancellationError()) }

    // MARK: The thread's side

    /// Which addresses may be connected to.
    var rules: AddressRules {
        get { state.withLock { $0.rules } }
        set { state.withLock { $0.rules = newValue } }
    }

    /// Why the last address was refused; nil where none was.
    var refusal: TransferError? { state.withLock { $0.refusal } }

    /// Whether the rules allow a connection to an address. What else the name leads to is tried when they do not.
    func mayConnect(to address: UnsafePointer<sockaddr>) -> Bool {
        state.withLock { state in
            let found = IPAddress(address)
            let complaint = found.map { state.rules.complaint(about: $0) } ?? "is not an address of the internet"
            state.refusal = complaint.map { reason in
                TransferError(.forbiddenAddress, "\(found.map { "\($0)" } ?? "the address") \(reason), and is not connected to")
            }
            return complaint == nil
        }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes a line of the answer's head. The line after an interim answer (100...199) begins another head.
    func hear(header line: String) {
        let text = line.drop { $0 == " " }.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
        let waiter: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard !state.isHeadComplete else { return nil }  // a trailer
            if text.hasPrefix("HTTP/") {
                let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                state.head = (status ?? 0, [])
            } else if let colon = text.firstIndex(of: ":") {
                let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                state.head?.headers.append((String(text[..<colon]), String(value)))
            } else if text.isEmpty, let status = state.head?.status, status >= 200 {
                state.isHeadComplete = true
                return state.headWaiter.take()
            }
            return nil
        }
        waiter?.resume()
    }

    /// Takes bytes of the answer's body, and waits for the reader where it is behind.
    /// - Returns: false when nobody wants them any more.
    package func hear(body bytes: UnsafeRawBufferPointer) -> Bool {
        space.wait()
        let chunk = Array(bytes)
        let (waiter, isWanted) = state.withLock { state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool) in
            guard !state.isOver else { return (nil, false) }
            if let waiter = state.chunkWaiter.take() { return (waiter, true) }
            state.chunks.append(chunk)
            return (nil, true)
        }
        if let waiter {
            space.signal()
            waiter.resume(returning: chunk)
        }
        return isWanted
    }

    /// Writes the next bytes of the request's body.
    /// - Returns: their number, 0 at the end; nil when the transfer has to end.
    func fill(_ space: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(TransferError) {
            // A body that begins once more after the end would be sent as the rest of this one.
            guard !isOver else { return nil }
            let upload: Upload
            if let begun = state.withLock({ $0.upload }) {
                upload = begun
            } else {
                upload = try Upload(request.body)
                state.withLock { $0.upload = upload }
            }
            return try upload.next(space)
        } catch {
            end(error)
            return nil
        }
    }

    /// Sends the body again from an offset in bytes.
    func seek(to offset: Int) { state.withLock { $0.upload }?.seek(to: offset) }

    /// Ends the transfer, with the failure that ended it. Only the first call counts.
    package func end(_ failure: (any Error)?) {
        let (headWaiter, chunkWaiter) = state.withLock { state in
            guard !state.isOver else {
                return (nil, nil) as (CheckedContinuation<Void, any Error>?, CheckedContinuation<[UInt8]?, any Error>?)
            }
            state.isOver = true
            state.failure = failure
            state.upload = nil
            return (state.headWaiter.take(), state.chunkWaiter.take())
        }
        headWaiter?.resume(throwing: failure ?? Transfer.noAnswer)
        if let failure { chunkWaiter?.resume(throwing: failure) } else { chunkWaiter?.resume(returning: nil) }
        space.signal()
    }

    private static let noAnswer = TransferError(.connectionClosed, "the connection ended without an answer")
}
