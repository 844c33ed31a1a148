import BlockingWork
import Logging
import PreviewServer
import ServiceLifecycle

/// Reads the messages of the engine from standard input until it ends, which ends the program.
struct EngineInput: Service {
    let service: PreviewService
    let logger: Logger

    func run() async throws {
        let (lines, reader) = AsyncStream.makeStream(of: String.self)
        // It ends with standard input or with the program: nothing ends a read before.
        Task { await InputThread().read(into: reader) }
        await cancelWhenGracefulShutdown {
            for await line in lines {
                if let event = EngineEvent(line: line) {
                    service.take(event)
                } else {
                    logger.warning("a message of the engine cannot be read, so it is skipped: \(line.prefix(200))")
                }
            }
        }
        service.end()
    }
}

/// Reads lines on a thread of its own, because reading blocks.
private actor InputThread {
    private let thread = BlockingThread(name: "engine")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    func read(into lines: AsyncStream<String>.Continuation) {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
    }
}
