import ContentHashing
import Testing
import Glibc

@Suite("A watch over reads")
struct ReadWatchTests {
    private let watch = ReadWatch()
    private let start = ContinuousClock.now

    @Test("A call is overdue when it takes longer than the limit, and not when it takes exactly as long")
    func limit() {
        let call = watch.begin("/a", at: start)
        #expect(!watch.isIdle)
        #expect(watch.overdue(ReadWatch.limit, at: start + .seconds(30)) == nil)
        #expect(watch.overdue(ReadWatch.limit, at: start + .milliseconds(30_001)) == "/a")
        watch.end(call)
        #expect(watch.overdue(ReadWatch.limit, at: start + .seconds(3600)) == nil)
        #expect(watch.isIdle)
    }

    @Test("A call that the storage has answered begins anew")
    func restarted() {
        let call = watch.begin("/a", at: start)
        watch.restart(call, at: start + .seconds(20))
        #expect(watch.overdue(.seconds(30), at: start + .seconds(50)) == nil)
        #expect(watch.overdue(.seconds(30), at: start + .seconds(51)) == "/a")
        watch.end(call)
        // An answer that comes after the end of the call changes nothing.
        watch.restart(call, at: start)
        #expect(watch.isIdle)
    }

    @Test("Of several calls the oldest is reported")
    func oldest() {
        let first = watch.begin("/a", at: start)
        let second = watch.begin("/b", at: start + .seconds(1))
        #expect(watch.overdue(.seconds(5), at: start + .seconds(10)) == "/a")
        watch.end(first)
        #expect(watch.overdue(.seconds(5), at: start + .seconds(10)) == "/b")
        watch.end(second)
        #expect(watch.isIdle)
    }

    @Test("A call is watched while its closure runs, also when that throws, and errno stays as the call left it")
    func closures() {
        struct Fault: Error {}
        let late = ContinuousClock.now + .seconds(3600)
        watch.calls("/a") { answered in
            #expect(watch.overdue(.seconds(1), at: late) == "/a")
            answered()
            #expect(!watch.isIdle)
            errno = EIO
        }
        let code = errno
        #expect(code == EIO)
        #expect(watch.isIdle)
        #expect(throws: Fault.self) { try watch.call("/b") { throw Fault() } }
        #expect(watch.isIdle)
    }
}
