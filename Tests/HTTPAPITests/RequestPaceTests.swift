import HTTPAPI
import NIOCore
import Testing

@Suite("The pace of a connection")
struct RequestPaceTests {
    private static var limits: RequestLimits {
        var limits = RequestLimits()
        limits.headTime = .seconds(10)
        limits.idleTime = .seconds(75)
        limits.bodyPause = .seconds(30)
        limits.documentTime = .seconds(120)
        limits.uploadTime = .seconds(1000)
        limits.bodyRate = 100
        limits.answerPause = .seconds(60)
        limits.lingerTime = .seconds(5)
        limits.requestTime = .seconds(5000)
        return limits
    }

    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }
    private func opened() -> RequestPace { RequestPace(RequestPaceTests.limits, openedAt: at(0)) }

    private func expect(
        _ pace: RequestPace, _ seconds: Int64?, _ fault: RequestPace.Fault? = nil, _ place: SourceLocation = #_sourceLocation
    ) {
        #expect(pace.deadline?.at == seconds.map(at), sourceLocation: place)
        #expect(pace.deadline?.fault == fault, sourceLocation: place)
    }

    @Test("A new connection has a fixed time for its first head, however slowly its bytes come")
    func firstHead() {
        var pace = opened()
        expect(pace, 10, .head)
        for second in 1...9 { pace.received(1, at: at(Int64(second))) }
        expect(pace, 10, .head)
        #expect(pace.mayAnswer)
    }

    @Test("A connection may be idle between requests, and a head is timed from its first byte")
    func keptAlive() {
        var pace = opened()
        pace.headArrived(isUpload: false, at: at(1))
        pace.requestEnded(at: at(1))
        expect(pace, 5001, .request)
        pace.answerBegan()
        #expect(!pace.mayAnswer)
        pace.answerEnded(at: at(4))
        expect(pace, 79, .idle)
        pace.received(3, at: at(50))
        expect(pace, 60, .head)
    }

    @Test("A connection whose body stops is ended")
    func stoppedBody() {
        var pace = opened()
        pace.headArrived(isUpload: true, at: at(0))
        pace.received(1_000_000, at: at(20))
        expect(pace, 50, .bodyPause)
        #expect(pace.mayAnswer)
    }

    @Test("A connection whose body comes too slowly is ended: bytes earn time at the required rate")
    func slowBody() {
        var pace = opened()
        pace.headArrived(isUpload: true, at: at(0))
        for second in 1...40 { pace.received(10, at: at(Int64(second))) }
        // 30 s of pause, and 4 s for 400 bytes.
        expect(pace, 34, .bodyRate)
        pace.received(2000, at: at(40))
        expect(pace, 54, .bodyRate)
    }

    @Test("A connection may carry a body of the largest asset size")
    func largeBody() {
        for size in [9_223_372_037, 64 << 30, 1 << 40, 1 << 50] {
            var pace = opened()
            pace.headArrived(isUpload: true, at: at(0))
            pace.received(size, at: at(1))
            #expect(pace.deadline != nil)
        }
    }

    @Test("A connection whose document takes too long in all is ended; an upload may take longer")
    func totalTime() {
        for (isUpload, end) in [(false, Int64(120)), (true, 1000)] {
            var pace = opened()
            pace.headArrived(isUpload: isUpload, at: at(0))
            for second in stride(from: Int64(10), through: 990, by: 10) { pace.received(100_000, at: at(second)) }
            expect(pace, end, .bodyTime)
        }
    }

    @Test("The time in which the server does not read is not counted")
    func serverPause() {
        var pace = opened()
        pace.headArrived(isUpload: true, at: at(0))
        pace.received(100, at: at(5))
        pace.stoppedReading(at: at(5))
        expect(pace, 5000, .request)
        pace.startedReading(at: at(505))
        // 500 s of not reading, 30 s of pause, and 1 s for 100 bytes.
        expect(pace, 531, .bodyRate)
        for second in stride(from: Int64(510), through: 1490, by: 10) { pace.received(100_000, at: at(second)) }
        expect(pace, 1500, .bodyTime)
    }

    @Test("A client that does not read its answer is ended, but not one that reads it slowly")
    func untakenAnswer() {
        var pace = opened()
        pace.headArrived(isUpload: false, at: at(0))
        pace.requestEnded(at: at(0))
        pace.answerBegan()
        pace.sends(at: at(100))
        pace.sends(at: at(110))
        expect(pace, 160, .answer)
        pace.sent(at: at(150))
        expect(pace, 210, .answer)
        pace.sent(at: at(200))
        expect(pace, 5000, .request)
    }

    @Test("A client that was answered early may go on with its body only for a moment")
    func lingering() {
        var pace = opened()
        pace.headArrived(isUpload: true, at: at(0))
        pace.answerBegan()
        pace.answerEnded(at: at(2))
        expect(pace, 7, .linger)
        pace.received(1_000_000, at: at(6))
        expect(pace, 7, .linger)
        #expect(!pace.mayAnswer)
        pace.requestEnded(at: at(6))
        expect(pace, 81, .idle)
    }

    @Test("Only the time of the whole request runs while it is handled, and the next head is timed from the answer")
    func pipelined() {
        var pace = opened()
        pace.headArrived(isUpload: false, at: at(0))
        pace.requestEnded(at: at(0))
        pace.received(5, at: at(1))
        expect(pace, 5000, .request)
        pace.answerBegan()
        pace.answerEnded(at: at(100))
        expect(pace, 110, .head)
    }

    @Test("A whole request is timed from its first byte to the end of its answer, whoever is slow")
    func wholeRequest() {
        var pace = opened()
        pace.received(10, at: at(0))
        pace.headArrived(isUpload: false, at: at(5))
        pace.requestEnded(at: at(6))
        expect(pace, 5000, .request)
        #expect(pace.mayAnswer)
        pace.answerBegan()
        // The client reads its answer steadily.
        for second in stride(from: Int64(100), through: 4900, by: 100) {
            pace.sends(at: at(second))
            pace.sent(at: at(second + 1))
        }
        expect(pace, 5000, .request)
        #expect(!pace.mayAnswer)
        pace.answerEnded(at: at(4999))
        expect(pace, 5074, .idle)
        // The next request has its own time, and the one that comes before its answer waits for that.
        pace.received(10, at: at(5050))
        pace.headArrived(isUpload: false, at: at(5050))
        pace.requestEnded(at: at(5050))
        pace.received(10, at: at(5060))
        pace.headArrived(isUpload: false, at: at(5060))
        pace.requestEnded(at: at(5060))
        expect(pace, 10_050, .request)
        pace.answerBegan()
        pace.answerEnded(at: at(9000))
        expect(pace, 14_000, .request)
        pace.answerBegan()
        pace.answerEnded(at: at(9001))
        expect(pace, 9076, .idle)
    }

    @Test("A request whose bytes arrive with those of the one before it is timed, too")
    func sameBytes() {
        var pace = opened()
        pace.received(100, at: at(0))
        for _ in 0..<2 {
            pace.headArrived(isUpload: false, at: at(1))
            pace.requestEnded(at: at(1))
            pace.answerBegan()
            pace.answerEnded(at: at(1))
        }
        pace.headArrived(isUpload: false, at: at(2))
        pace.requestEnded(at: at(2))
        expect(pace, 5002, .request)
    }
}

@Suite("Slots")
struct SlotTests {
    @Test("Slots are limited for each holder and in all")
    func limits() throws {
        let slots = Slots(3, perHolder: 2)
        var held = [try slots.take("a").get(), try slots.take("a").get()]
        #expect(throws: Slots.Refused(refusal: .holder(limit: 2))) { try slots.take("a").get() }
        held.append(try slots.take("b").get())
        #expect(throws: Slots.Refused(refusal: .all(limit: 3))) { try slots.take("c").get() }
        #expect(held.count == 3)
        held.removeFirst()
        #expect(slots.taken == 2)
        held.append(try slots.take("c").get())
        #expect(slots.taken == 3)
        held = []
        #expect(slots.taken == 0)
    }

    @Test("Several slots can be taken at once and more added up to the limits; all are released together")
    func growth() throws {
        let slots = Slots(10, perHolder: 6)
        var first: Slots.Slot? = try slots.take("a", count: 4).get()
        #expect(throws: Slots.Refused(refusal: .holder(limit: 6))) { try first?.grow(by: 3) }
        try first?.grow(by: 2)
        let second = try slots.take("b", count: 0).get()
        #expect(slots.taken == 6)
        #expect(throws: Slots.Refused(refusal: .all(limit: 10))) { try second.grow(by: 5) }
        try second.grow(by: 4)
        #expect(slots.taken == 10)
        first = nil
        #expect(slots.taken == 4)
        try second.grow(by: 2)
        #expect(throws: Slots.Refused(refusal: .holder(limit: 6))) { try second.grow(by: 1) }
    }
}

@Suite("A rate of requests")
struct RequestRateTests {
    private let start = ContinuousClock.now

    @Test("A rate of requests lets a burst through, then its steady rate, for each holder separately")
    func permits() {
        let rate = RequestRate(perSecond: 4, burst: 8)
        for _ in 0..<8 { #expect(rate.take("a", at: start) == nil) }
        #expect(rate.take("a", at: start) == 0.25)
        #expect(rate.take("b", at: start) == nil)
        #expect(rate.take("a", at: start + .milliseconds(250)) == nil)
        #expect(rate.take("a", at: start + .milliseconds(250)) == 0.25)
        for _ in 0..<8 { #expect(rate.take("a", at: start + .seconds(100)) == nil) }
        #expect(rate.take("a", at: start + .seconds(100)) != nil)
    }

    @Test("A rate of requests remembers a bounded number of holders")
    func memory() {
        let rate = RequestRate(perSecond: 1, burst: 2)
        for number in 0..<30_000 { _ = rate.take("\(number)", at: start + .milliseconds(number)) }
        #expect(rate.count <= 10_001)
    }
}
