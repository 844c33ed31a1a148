import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Ctrl-C and SIGTERM: the work is cancelled and tidies up after itself; a second signal ends the program at once.
enum Interruption {
    static func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await work() }  // awaited below; a task of its own, because the signals cancel it
        let caught = Mutex<Int32?>(nil)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isFirst = caught.withLock { caught in
                    defer { caught = number }
                    return caught == nil
                }
                if !isFirst { _exit(128 + number) }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            try await task.value
        } catch {
            if let number = caught.withLock({ $0 }) { throw CommandFailure(signal: number) }
            throw error
        }
    }
}
