import HTTPClient
package import FarmAPI
import FoundationEssentials

/// Following exports until they have ended.
extension FarmClient {
    /// The largest number of exports that are followed by one event stream each. More exports are polled instead.
    private static let streams = 16

    /// Follows any number of exports until all have ended.
    ///
    /// While the farm cannot be reached, this waits up to `timeout` before it throws.
    /// - Parameters:
    ///   - interval: the pause between two polls or two connection attempts; it grows with the number of exports.
    ///   - show: called after every change with the known exports, in the order of `ids`.
    /// - Returns: the ended exports, in the order of `ids`.
    package func follow(
        _ ids: [ExportID], interval: Duration = .seconds(1), timeout: Duration = .seconds(60),
        show: ([Export]) -> Void = { _ in }
    ) async throws -> [Export] {
        var known: [ExportID: Export] = [:]
        let wanted = Set(ids)
        let news =
            wanted.count <= FarmClient.streams
            ? listen(to: wanted, interval, timeout) : look(at: wanted, interval, timeout)
        for try await export in news {
            known[export.id] = export
            let exports = ids.compactMap { known[$0] }
            show(exports)
            if exports.count == ids.count, exports.allSatisfy(\.state.isTerminal) { return exports }
        }
        try Task.checkCancellation()
        return ids.compactMap { known[$0] }
    }

    // MARK: Listening

    /// The exports whenever one has changed, by server-sent events.
    private func listen(
        to ids: Set<ExportID>, _ interval: Duration, _ timeout: Duration
    ) -> AsyncThrowingStream<Export, any Error> {
        stream { output in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in ids { group.addTask { try await listen(to: id, interval, timeout) { output.yield($0) } } }
                try await group.waitForAll()
            }
        }
    }

    private func listen(
        to id: ExportID, _ interval: Duration, _ timeout: Duration, _ tell: (Export) -> Void
    ) async throws {
        var lastAnswer = ContinuousClock.now
        while true {
            var pause = interval
            do {
                if try await events(of: id, heard: { lastAnswer = .now }, tell) { return }
            } catch let failure as ClientFailure where failure.isRetryable && lastAnswer.duration(to: .now) < timeout {
                // Connect again after the interval, or later when the farm asks for a longer pause.
                pause = max(interval, min(failure.retryAfter ?? .zero, FarmClient.longestPause))
            }
            try await clock.sleep(for: pause)
        }
    }

    /// Reads the events of one connection.
    /// - Parameter heard: called whenever bytes arrive, also for a keep-alive comment.
    /// - Returns: whether the export's end was among the events.
    private func events(of id: ExportID, heard: () -> Void, _ tell: (Export) -> Void) async throws -> Bool {
        do {
            let response = try await http.execute(request("GET", "/v1/exports/\(id)/events"))
            guard response.status == 200 else {
                let data = Data(try await response.body.collect(upTo: 1 << 20))
                try check(response, data)
                return false
            }
            var parser = ServerSentEventParser()
            for try await bytes in response.body {
                heard()
                for event in parser.add(bytes) where event.name == "export" {
                    let export = try FarmJSON.decode(Export.self, from: Data(event.data.utf8))
                    tell(export)
                    if export.state.isTerminal { return true }
                }
            }
            return false
        } catch let error as CancellationError {
            throw error
        } catch let error as DecodingError {
            throw ClientFailure(.notUnderstood, "\(server) sent an answer that this version does not understand: \(error)")
        } catch {
            throw failure(error)
        }
    }

    // MARK: Looking

    /// The exports by repeated polling, without those that have ended.
    private func look(
        at ids: Set<ExportID>, _ interval: Duration, _ timeout: Duration
    ) -> AsyncThrowingStream<Export, any Error> {
        stream { output in
            var open = ids
            var lastAnswer = ContinuousClock.now
            while !open.isEmpty {
                var pause = interval
                do {
                    for export in try await look(at: Array(open)) {
                        if export.state.isTerminal { open.remove(export.id) }
                        output.yield(export)
                    }
                    lastAnswer = .now
                } catch let failure as ClientFailure where failure.isRetryable && lastAnswer.duration(to: .now) < timeout {
                    // Poll again after the interval, or later when the farm asks for a longer pause.
                    pause = max(interval, min(failure.retryAfter ?? .zero, FarmClient.longestPause))
                }
                if !open.isEmpty { try await clock.sleep(for: max(pause, interval * (open.count / 50))) }
            }
        }
    }

    /// Polls the exports, a few at a time.
    private func look(at ids: [ExportID]) async throws -> [Export] {
        try await withThrowingTaskGroup(of: Export.self) { group in
            var found: [Export] = []
            var rest = ids[...]
            for id in rest.prefix(8) { group.addTask { try await export(id) } }
            rest = rest.dropFirst(8)
            while let export = try await group.next() {
                found.append(export)
                if let id = rest.popFirst() { group.addTask { try await self.export(id) } }
            }
            return found
        }
    }

    /// A stream of what `body` yields; `body` is cancelled when the stream is no longer read.
    private func stream(
        _ body: @escaping @Sendable (AsyncThrowingStream<Export, any Error>.Continuation) async throws -> Void
    ) -> AsyncThrowingStream<Export, any Error> {
        AsyncThrowingStream { output in
            let task = Task {  // ends with the stream
                do {
                    try await body(output)
                    output.finish()
                } catch {
                    output.finish(throwing: error)
                }
            }
            output.onTermination = { _ in task.cancel() }
        }
    }
}
