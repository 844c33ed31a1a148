import ExportPlan
import Synchronization
import Glibc

/// The pipe on which a rendering process sends its messages. The thread that runs the jobs uses it, and the thread that
/// watches for reads that are never answered (`ChildLoop`).
final class ParentPipe: Sendable {
    private struct State {
        let descriptor: Int32
        /// The number of the order that is being carried out; nil between two orders.
        var order: Int?
    }

    private let state: Mutex<State>

    /// - Parameter descriptor: the file descriptor of the pipe.
    init(_ descriptor: Int32) {
        state = Mutex(State(descriptor: descriptor))
    }

    /// Says that an order is being carried out from now on.
    func begin(order: Int) {
        state.withLock { $0.order = order }
    }

    func send(_ report: ChildReport) {
        state.withLock { state in
            if case .progress = report.message {} else { state.order = nil }
            ParentPipe.write(report, to: state.descriptor)
        }
    }

    /// Reports that the running order has failed and exits, because its thread will not return. The exit code 0 says
    /// that the process ends after this report and has not crashed.
    /// - Parameter failure: called while no other message can be sent; nil if the order goes on after all.
    func endProcess(reporting failure: () -> JobFailure?) {
        state.withLock { state in
            guard let order = state.order, let failure = failure() else { return }
            ParentPipe.write(ChildReport(order: order, .failed(failure: failure)), to: state.descriptor)
            _exit(0)
        }
    }

    private static func write(_ report: ChildReport, to descriptor: Int32) {
        guard let line = line(report) else { return }
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                if count <= 0 { _exit(1) }
                sent += count
            }
        }
    }

    /// A report as one line. If the result cannot be written as JSON, for example because a plug-in gave an infinite
    /// number, the job fails: without any report it would seem to hang.
    private static func line(_ report: ChildReport) -> [UInt8]? {
        if let line = try? MessageLine.encode(report) { return line }  // the failure follows
        let failure = JobFailure(.crash, subject: "", message: "the result has a number that is infinite or NaN")
        // A failure contains only texts, so it can always be encoded.
        return try? MessageLine.encode(ChildReport(order: report.order, .failed(failure: failure)))
    }
}
