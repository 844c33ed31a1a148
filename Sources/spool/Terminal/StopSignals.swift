import Dispatch
import Synchronization
import Glibc

/// Signals that ask this program to stop, caught for as long as the object exists. Commands (`Interruption`) and workers
/// decide what a first and a second one mean; the coordinator's services stop by themselves.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Switches off the signals' default actions and catches them. Their default actions stay off afterwards.
    /// - Parameters:
    ///   - numbers: the signals' numbers.
    ///   - handle: is told a signal's number, and how many have come, this one included; on any thread, one at a time.
    init(_ numbers: [Int32], handle: @escaping @Sendable (_ number: Int32, _ count: Int) -> Void) {
        let queue = DispatchQueue(label: "signals")
        let count = Mutex(0)
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let place = count.withLock { count in
                    count += 1
                    return count
                }
                handle(number, place)
            }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }
}
