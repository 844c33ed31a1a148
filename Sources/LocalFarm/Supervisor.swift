package import Logging
import Synchronization
import FoundationEssentials

/// Keeps processes running by restarting those that end. When a restart cannot help, the supervisor reports that at
/// once, with what the process printed.
package final class Supervisor: Sendable {
    /// How the exit codes of a process are read.
    package enum Kind: Sendable {
        /// A server of another project, whose exit codes have no meaning here.
        case server
        /// A command of this program, whose exit codes are those of sysexits.h.
        case own
    }

    /// The end of a process that a restart would not cure.
    package struct Ended: Error, Sendable {
        package var name: String
        package var status: Int32
        /// The last lines that it printed in its last run, at most 20.
        package var lastLines: [String]
    }

    private let logger: Logger
    private let isUp = Mutex(false)
    private let ends: AsyncStream<Ended>
    private let output: AsyncStream<Ended>.Continuation
    /// How often in a row a server may end before the farm is up; then it is not restarted.
    static let mostEndsInARow = 3

    package init(_ logger: Logger) {
        self.logger = logger
        (ends, output) = AsyncStream.makeStream()
    }

    /// Says that the farm is up: from now on only usage errors end the supervision.
    package func markFarmAsUp() { isUp.withLock { $0 = true } }

    /// Waits until a process has ended that is not restarted.
    /// - Throws: `Ended`, or `CancellationError`.
    package func waitForEnd() async throws {
        for await end in ends { throw end }
        try Task.checkCancellation()
    }

    /// Runs a process and restarts it whenever it ends, until the task is cancelled.
    package func supervise(_ name: String, _ kind: Kind, _ process: GuardedProcess) -> Task<Void, Never> {
        Task {  // the caller cancels it
            var ended = 0
            while !Task.isCancelled {
                let logged = Supervisor.byteCount(process.logFile)
                do {
                    let status = try await process.run()
                    if Task.isCancelled { return }
                    ended += 1
                    if Supervisor.isFinal(kind, status: status, endsInARow: ended, isUp: isUp.withLock { $0 }) {
                        output.yield(
                            Ended(name: name, status: status, lastLines: Supervisor.lastLines(process.logFile, from: logged)))
                        return
                    }
                    logger.warning("\(name) ended with status \(status) (see \(process.logFile)); starting it again")
                } catch {
                    logger.warning("\(name): \(error)")
                }
                try? await Task.sleep(for: .seconds(1))  // when cancelled, the loop's condition ends the task
            }
        }
    }

    /// Whether restarting a process cannot help.
    /// - Parameters:
    ///   - status: its exit code, or 128 plus the number of the signal that ended it.
    ///   - endsInARow: how often it has ended, including this time.
    ///   - isUp: whether the farm has been up.
    package static func isFinal(_ kind: Kind, status: Int32, endsInARow: Int, isUp: Bool) -> Bool {
        switch kind {
        case .server: return !isUp && status != 0 && endsInARow >= mostEndsInARow
        case .own:
            // A usage error (64) stays. An unavailable service (69), a temporary failure (75) and a signal may pass.
            if status == 64 { return true }
            return !isUp && status != 0 && status < 128 && status != 69 && status != 75
        }
    }

    private static func byteCount(_ file: String) -> Int {
        // There is no log file before the first run.
        ((try? FileManager.default.attributesOfItem(atPath: file)[.size]) as? Int) ?? 0
    }

    private static func lastLines(_ file: String, from start: Int) -> [String] {
        guard let data = FileManager.default.contents(atPath: file), data.count > start else { return [] }
        let text = String(decoding: data.dropFirst(start), as: UTF8.self)
        return text.split(separator: "\n").suffix(20).map(String.init)
    }
}
