import AsyncHTTPClient
public import Coordinator
import FarmAPI
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Watching exports until they have ended.
extension FarmClient {
    /// So many are followed each on a connection of its own, and heard of at once; more are looked at from time to time.
    private static let streams = 16

    /// Follows exports until all have ended: one or thousands.
    ///
    /// A farm that is away for a while is waited for, up to `patience`.
    /// - Parameters:
    ///   - interval: between two looks or two attempts to connect; longer where there are many.
    ///   - show: told how they stand, in the order of `ids`, after every change.
    /// - Returns: the exports as they ended, in the order of `ids`.
    public func follow(
        _ ids: [ExportID], interval: Duration = .seconds(1), patience: Duration = .seconds(60),
        show: ([Export]) -> Void = { _ in }
    ) async throws -> [Export] {
        var known: [ExportID: Export] = [:]
        let wanted = Set(ids)
        let news =
            wanted.count <= FarmClient.streams
            ? listen(to: wanted, interval, patience) : look(at: wanted, interval, patience)
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

    /// How the exports stand, whenever one has changed, as the farm's server-sent events tell.
    private func listen(
        to ids: Set<ExportID>, _ interval: Duration, _ patience: Duration
    ) -> AsyncThrowingStream<Export, any Error> {
        stream { output in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in ids { group.addTask { try await listen(to: id, interval, patience) { output.yield($0) } } }
                try await group.waitForAll()
            }
        }
    }

    private func listen(
        to id: ExportID, _ interval: Duration, _ patience: Duration, _ tell: (Export) -> Void
    ) async throws {
        var lastAnswer = ContinuousClock.now
        while true {
            var pause = interval
            do {
                if try await events(of: id, heard: { lastAnswer = .now }, tell) { return }
            } catch let failure as ClientFailure where failure.mayPass && lastAnswer.duration(to: .now) < patience {
                // Connected again after the interval, and not before the farm wants that.
                pause = max(interval, min(failure.retryAfter ?? .zero, FarmClient.longestPause))
            }
            try await clock.sleep(for: pause)
        }
    }

    /// Reads one connection's events.
    /// - Parameter heard: called whenever anything comes, if only a sign of life.
    /// - Returns: whether the export's end was among the events.
    private func events(of id: ExportID, heard: () -> Void, _ tell: (Export) -> Void) async throws -> Bool {
        do {
            let response = try await http.execute(request(.GET, "/v1/exports/\(id)/events"), deadline: .distantFuture)
            guard response.status == .ok else {
                let buffer = try await response.body.collect(upTo: 1 << 20)
                try check(response, Data(buffer.readableBytesView))
                return false
            }
            var parser = ServerSentEventParser()
            for try await buffer in response.body {
                heard()
                for event in parser.add(buffer.readableBytesView) where event.name == "export" {
                    let export = try FarmJSON.decode(Export.self, from: Data(event.data.utf8))
                    tell(export)
                    if export.state.isTerminal { return true }
                }
            }
            return false
        } catch let error as CancellationError {
            throw error
        } catch let error as DecodingError {
            throw ClientFailure(.notUnderstood, "\(server) gave an answer that this version does not understand: \(error)")
        } catch {
            throw failure(error)
        }
    }

    // MARK: Looking

    /// How the exports stand, again and again, those that have ended left out.
    private func look(
        at ids: Set<ExportID>, _ interval: Duration, _ patience: Duration
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
                } catch let failure as ClientFailure where failure.mayPass && lastAnswer.duration(to: .now) < patience {
                    // Looked for again after the interval, and not before the farm wants that.
                    pause = max(interval, min(failure.retryAfter ?? .zero, FarmClient.longestPause))
                }
                if !open.isEmpty { try await clock.sleep(for: max(pause, interval * (open.count / 50))) }
            }
        }
    }

    /// A few at a time.
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

    /// What `body` yields; it is cancelled when nobody reads any more.
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
