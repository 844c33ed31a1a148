import Compositor
import Dispatch
import ExportPlan
import Media
import Synchronization

/// The pictures of a segment in order, composed in a thread of their own, a few pictures ahead of the encoder. So the
/// last segments of a film, and a film of one segment, use two processors.
///
/// The compositor belongs to the thread: it is made, used and destroyed there, because libraries keep state for each
/// thread. Which pictures come, and in which order, does not depend on when they are taken.
final class ComposedPictures {
    private let work: Work
    private var thread: WorkThread?

    /// - Parameter make: makes the compositor.
    /// - Throws: `MediaError` of class `resource` when the system gives no thread.
    init(count: Int, _ make: @escaping () throws(MediaError) -> Compositor) throws(MediaError) {
        let work = Work(count: count, make)
        self.work = work
        thread = WorkThread { work.run() }
        guard thread != nil else {
            throw MediaError(.outOfMemory, subject: "picture", message: "needs a thread of its own, and none could be started")
        }
    }

    deinit { end() }

    /// The next picture. There are `count` of them.
    /// - Throws: the error of the compositor; nothing comes after it.
    func next() throws -> VideoFrame { try work.next() }

    /// Ends the thread, whether all pictures were taken or not, and waits for it.
    func end() {
        guard let thread else { return }
        self.thread = nil
        work.stop()
        thread.join()
    }

    /// The time that decoding took, and the time that composing took beside it. They are complete after `end`.
    var times: (decoding: Duration, composing: Duration) { work.times.withLock { $0 } }

    /// The work of the thread, and the pictures that wait.
    private final class Work: @unchecked Sendable {
        // Unchecked: only the thread calls `make`, and a picture is not written to any more once it waits.
        private let make: () throws(MediaError) -> Compositor
        private let count: Int
        /// Free places for pictures. It begins with none, because a semaphore must not end below its first value.
        private let places = DispatchSemaphore(value: 0)
        private let arrived = DispatchSemaphore(value: 0)
        private let waiting = Mutex<[Outcome]>([])
        private let isStopped = Atomic(false)
        let times = Mutex((decoding: Duration.zero, composing: Duration.zero))

        private struct Outcome: @unchecked Sendable {
            var picture: Result<VideoFrame, any Error>
        }

        init(count: Int, _ make: @escaping () throws(MediaError) -> Compositor) {
            self.count = count
            self.make = make
            for _ in 0..<DemandPrediction.picturesAhead { places.signal() }
        }

        func run() {
            do {
                let compositor = try make()
                var drawing = Duration.zero
                defer {
                    let decoding = compositor.decodingTime
                    times.withLock { $0 = (decoding, drawing - decoding) }
                }
                for index in 0..<count {
                    places.wait()
                    guard !isStopped.load(ordering: .acquiring) else { return }
                    let started = ContinuousClock.now
                    let picture = try compositor.picture(atFrame: index)
                    drawing += started.duration(to: .now)
                    add(Outcome(picture: .success(picture)))
                }
            } catch {
                add(Outcome(picture: .failure(error)))
            }
        }

        private func add(_ outcome: Outcome) {
            waiting.withLock { $0.append(outcome) }
            arrived.signal()
        }

        func next() throws -> VideoFrame {
            arrived.wait()
            let outcome = waiting.withLock { $0.removeFirst() }
            places.signal()
            return try outcome.picture.get()
        }

        func stop() {
            isStopped.store(true, ordering: .releasing)
            places.signal()
        }
    }
}
