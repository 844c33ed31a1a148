import FarmAPI
import ExportPlan
import Scheduling
import Testing

@Suite("Shares and priorities")
struct ShareTests {
    @Test("A tenant that comes 66 s after a backlog begins within one segment, and gets its share in every minute")
    func lateTenant() throws {
        var farm = SmallFarm(slots: 2)
        farm.export(1, tenant: 1)
        for job in 1...300 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.run(until: 66)
        farm.export(2, tenant: 2)
        for job in 1001...1003 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.run(until: 70)
        let late = farm.sent.filter { $0.job > 1000 }.map(\.time)
        #expect(late.count == 3)
        #expect(try #require(late.first) <= 67, "within one segment")
        #expect(try #require(late.last) <= 69, "every second slot is its own")
    }

    @Test("Tenants with a backlog get slots by their shares in every minute, the late one too, with nothing for its absence")
    func everyMinute() {
        var farm = SmallFarm(slots: 4)
        farm.handle(.tenant(2, share: 3, priorityCap: SchedulerEvent.openCap))
        farm.export(1, tenant: 1)
        for job in 1...3000 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.run(until: 66)
        farm.export(2, tenant: 2)
        for job in 5001...7000 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.run(until: 400)
        for minute in 0..<5 {
            let times = 67 + Double(minute) * 60..<127 + Double(minute) * 60
            let inMinute = farm.sent.filter { times.contains($0.time) }
            let part = Double(inMinute.count { $0.job > 5000 }) / Double(inMinute.count)
            #expect(abs(part - 0.75) < 0.02, "minute \(minute): \(part)")
        }
    }

    @Test("A tenant whose jobs take twice as long as predicted gets no more slots than its share")
    func corrections() {
        var farm = SmallFarm(slots: 1)
        farm.export(1, tenant: 1)
        farm.export(2, tenant: 2)
        for job in 1...400 as ClosedRange<Int64> { farm.job(job, of: job <= 200 ? 1 : 2) }
        var spent = [1: 0.0, 2: 0.0]
        for _ in 0..<150 {
            guard let job = farm.dispatch().first else { break }
            let seconds = job <= 200 ? 2.0 : 1
            spent[job <= 200 ? 1 : 2, default: 0] += seconds
            farm.end(job, seconds: seconds)
        }
        #expect(abs((spent[1] ?? 0) - (spent[2] ?? 0)) <= 2, "\(spent)")
    }

    @Test("A tenant that could use few slots only for ten minutes does not get all slots for longer than a minute after it")
    func creditLimit() {
        var farm = SmallFarm()
        farm.worker("sound", roles: [.audio], slots: 1)
        farm.worker("pictures", roles: [.video], slots: 2)
        farm.export(1, tenant: 1)
        farm.export(2, tenant: 2)
        for job in 1...2000 as ClosedRange<Int64> { farm.job(job, of: 1) }
        for job in 3001...5000 as ClosedRange<Int64> { farm.job(job, of: 2, .audio) }
        farm.run(until: 600)
        for job in 6001...7000 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.run(until: 660)
        let pictures = farm.sent.filter { $0.time > 600 && !(3001...5000).contains($0.job) }
        #expect(pictures.prefix(20).allSatisfy { $0.job > 6000 }, "it has had less")
        #expect(pictures.contains { $0.job <= 2000 }, "but gets no more than a minute for it")
    }

    @Test("Exports above their tenant's cap get the next free slots, whatever the tenant was charged")
    func urgent() {
        var farm = SmallFarm(slots: 2)
        for tenant in 1...2 as ClosedRange<Int64> { farm.handle(.tenant(tenant, share: 1, priorityCap: 10)) }
        farm.export(1, tenant: 1, priority: 10)
        for job in 1...100 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.run(until: 20)
        farm.export(2, tenant: 2)
        for job in 201...300 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.run(until: 40.5)
        farm.export(3, tenant: 1, priority: 11)
        farm.export(4, tenant: 1, priority: 12)
        farm.job(901, of: 3)
        farm.job(902, of: 4)
        farm.run(until: 40.6)
        farm.run(until: 42)
        let urgent = farm.sent.filter { $0.job > 900 }
        #expect(urgent.map(\.job) == [902, 901])
        #expect(urgent.map(\.time) == [40.5, 41], "the first waits for the slot at the worker already")
    }

    @Test("One step of priority is worth a minute of waiting, and only inside a tenant")
    func ageing() {
        var farm = SmallFarm()
        farm.export(1, priority: 0)
        farm.job(1, of: 1)
        farm.run(until: 119)
        farm.export(2, priority: 2)
        farm.job(2, of: 2)
        farm.export(3, tenant: 2)
        farm.job(3, of: 3, .video, 0.1)
        farm.job(4, of: 3, .video, 0.1)
        farm.worker("w1", slots: 4)
        #expect(farm.dispatch() == [2, 3, 4, 1], "a minute older, but two steps lower; and age does not outrank shares")
    }

    @Test("A new priority acts at once")
    func priority() {
        var farm = SmallFarm(slots: 1)
        for number in 1...3 as ClosedRange<Int64> {
            farm.export(number)
            farm.job(number, of: number)
        }
        farm.handle(.priority(farm.id(3), 1))
        farm.run(until: 10)
        #expect(farm.sent.map(\.job) == [3, 1, 2])
    }

    @Test("Exports of one tenant take turns; in an export the first picture goes first, then its sound, then the others")
    func inside() {
        var farm = SmallFarm(slots: 4)
        farm.export(1)
        farm.export(2)
        for (job, seconds) in [(1, 1.0), (2, 3), (3, 2)] { farm.job(Int64(job), of: 1, .video, seconds, at: job - 1) }
        farm.job(4, of: 1, .audio, 0.5)
        farm.job(5, of: 2, .video, 3)
        farm.job(6, of: 2, .probe, 1)
        #expect(farm.dispatch() == [1, 6, 4, 5])
    }

    @Test("A film is rendered from its beginning: one job, the next two, the next four, of which the longest go first")
    func parts() {
        var farm = SmallFarm(slots: 1)
        farm.export(1)
        let seconds = [1.0, 2, 3, 1, 5, 4, 2, 9, 8, 10]
        for (ordinal, seconds) in seconds.enumerated() { farm.job(Int64(ordinal), of: 1, .video, seconds) }
        farm.job(10, of: 1, .audio, 0.1)
        farm.job(11, of: 1, .audio, 0.2)
        farm.run(until: 100)
        #expect(farm.sent.map(\.job) == [0, 11, 10, 2, 1, 4, 5, 6, 3, 9, 7, 8])
    }
}
