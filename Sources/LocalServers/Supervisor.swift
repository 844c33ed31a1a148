public import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps processes running: one that ends by itself is started again. Where starting it again cannot help, the supervisor says so at once,
/// with the process's own words.
public final class Supervisor: Sendable {
    /// What a process is to the farm.
    public enum Kind: Sendable {
        /// A server of somebody else: its exit codes mean nothing here.
        case server
        /// One of this program's own commands, whose exit codes are those of sysexits.h.
        case own
    }

    /// A process that ended, with nothing to be gained by starting it again.
    public struct Ended: Error, Sendable {
        public var name: String
        public var status: Int32
        /// What it printed in its last run, at most the last 20 lines.
        public var words: [String]
    }

    private let logger: Logger
    private let isUp = Mutex(false)
    private let ends: AsyncStream<Ended>
    private let output: AsyncStream<Ended>.Continuation
    /// Ends in a row of a server that is not up yet, before it is given up.
    static let patience = 3

    public init(_ logger: Logger) {
        self.logger = logger
        (ends, output) = AsyncStream.makeStream()
    }

    /// From now on everything has been up once: only usage errors are final.
    public func allAreUp() { isUp.withLock { $0 = true } }

    /// Waits until a process has ended for good.
    /// - Throws: `Ended`, or `CancellationError`.
    public func waitForEnd() async throws {
        for await end in ends { throw end }
        try Task.checkCancellation()
    }

    /// Runs a process, and again when it ends by itself, until the task is cancelled.
    public func supervise(_ name: String, _ kind: Kind, _ process: GuardedProcess) -> Task<Void, Never> {
        Task {  // cancelled by whoever asked for it
            var ended = 0
            while !Task.isCancelled {
                let logged = Supervisor.byteCount(process.logFile)
                do {
                    let status = try await process.run()
                    if Task.isCancelled { return }
                    ended += 1
                    if Supervisor.isFinal(kind, status: status, endsInARow: ended, isUp: isUp.withLock { $0 }) {
                        output.yield(
                            Ended(name: name, status: status, words: Supervisor.words(process.logFile, from: logged)))
                        return
                    }
                    logger.warning("\(name) ended with status \(status) (see \(process.logFile)); starting it again")
                } catch {
                    logger.warning("\(name): \(error)")
                }
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    /// Whether starting a process again cannot help.
    /// - Parameters:
    ///   - status: its exit code; 128 and the signal's number when one ended it.
    ///   - endsInARow: how often it has ended, with this one.
    ///   - isUp: whether the farm has been up.
    public static func isFinal(_ kind: Kind, status: Int32, endsInARow: Int, isUp: Bool) -> Bool {
        switch kind {
        case .server: return !isUp && status != 0 && endsInARow >= patience
        case .own:
            // A usage error stays one; what is away (69) or asks to be tried again (75) may come back, as may what a signal ended.
            if status == 64 { return true }
            return !isUp && status != 0 && status < 128 && status != 69 && status != 75
        }
    }

    private static func byteCount(_ file: String) -> Int {
        // There is no log before the first run.
        ((try? FileManager.default.attributesOfItem(atPath: file)[.size]) as? Int) ?? 0
    }

    private static func words(_ file: String, from start: Int) -> [String] {
        guard let data = FileManager.default.contents(atPath: file), data.count > start else { return [] }
        let text = String(decoding: data.dropFirst(start), as: UTF8.self)
        return text.split(separator: "\n").suffix(20).map(String.init)
    }
}
