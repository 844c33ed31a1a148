import JobQueue
import Testing

@Suite("A signal that wakes a loop", .timeLimit(.minutes(5)))
struct WakeSignalTests {
    @Test("A wait ends when its time has passed, also where that is before the wait has begun to sleep")
    func timeouts() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let signal = WakeSignal()
                    for _ in 0..<2000 { #expect(await signal.wait(atMost: .zero) == false) }
                }
            }
        }
    }

    @Test("A call ends a wait, before it or while it sleeps, and several calls count as one")
    func calls() async {
        let signal = WakeSignal()
        signal.wake()
        signal.wake()
        #expect(await signal.wait(atMost: .seconds(600)))
        #expect(await signal.wait(atMost: .milliseconds(1)) == false)
        for _ in 0..<1000 {
            async let isCalled = signal.wait(atMost: .seconds(600))
            signal.wake()
            #expect(await isCalled)
        }
    }

    @Test("A cancelled task does not wait, and leaves nothing that ends the next wait")
    func cancellation() async {
        let signal = WakeSignal()
        for _ in 0..<1000 {
            let waiting = Task { await signal.wait(atMost: .seconds(600)) }
            waiting.cancel()
            #expect(await waiting.value == false)
        }
        async let isCalled = signal.wait(atMost: .seconds(600))
        signal.wake()
        #expect(await isCalled)
    }
}
