import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

/// What people look through: exports by label and in an order, and the last hour of the queues.
@Suite("Listings for people, on every store")
struct StoreConformanceListings {
    @Test("Exports are found by a part of their labels, whatever the case and the signs", arguments: StoreKind.allCases)
    func labels(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for label in ["Teaser 100%", "teaser_b", "Die Köche"] { _ = try await submit(farm, label) }
            func list(_ text: String, before: Int64? = nil) async throws -> [String] {
                var filter = ExportFilter(tenant: farm.tenant, before: before)
                filter.label = text
                return try await farm.store.exports(filter).map(\.label)
            }
            #expect(try await list("TEASER") == ["teaser_b", "Teaser 100%"])
            #expect(try await list("0%") == ["Teaser 100%"])
            #expect(try await list("r_b") == ["teaser_b"])
            #expect(try await list("r%b").isEmpty)
            #expect(try await list("köch") == ["Die Köche"])
            #expect(try await list("'; DROP TABLE exports; --").isEmpty)
        }
    }

    @Test("Exports come in the order that is asked for, and its pages miss none", arguments: StoreKind.allCases)
    func orders(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for (place, priority) in [0, 5, -3, 5, 0, 5, -3].enumerated() { _ = try await submit(farm, "\(place)", priority) }
            for (order, expected) in [
                (ExportOrder.newest, ["6", "5", "4", "3", "2", "1", "0"]), (.oldest, ["0", "1", "2", "3", "4", "5", "6"]),
                (.priority, ["1", "3", "5", "0", "4", "2", "6"]),
            ] {
                for limit in [1, 2, 3, 100] {
                    var filter = ExportFilter(tenant: farm.tenant, limit: limit)
                    filter.order = order
                    var found: [String] = []
                    while true {
                        let page = try await farm.store.exports(filter)
                        found += page.map(\.label)
                        guard page.count == limit, let last = page.last else { break }
                        (filter.before, filter.priorityBefore) = (last.number, last.priority)
                    }
                    #expect(found == expected, "\(order), \(limit)")
                }
            }
        }
    }

    @Test("The last hour of a queue has each end in its minute", arguments: StoreKind.allCases)
    func history(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["a", "b", "c"], sounds: []))
            let begin = farm.now
            for (place, seconds) in [(0, 30.0), (1, 100)] {
                let ticket = try await farm.dispatch(id, .video, place)
                try await farm.report(ticket, .started, at: begin + 10)
                try await farm.report(ticket, .finished(result: JobResult(), reused: false), at: begin + seconds)
            }
            let third = try await farm.dispatch(id, .video, 2)
            _ = try await farm.store.expireLeases([third.identity], at: begin + 110, jitter: 0)
            func history(_ time: Double) async throws -> [QueueHistory] {
                try await farm.store.queueHistory(at: begin + time)
            }
            let now = try await history(120)
            #expect(now.map(\.role) == WorkerRole.allCases)
            #expect(now[0].finished.suffix(3) == [0, 1, 1] && now[0].finished.reduce(0, +) == 2)
            #expect(now[0].errors.suffix(2) == [0, 1] && now[0].errors.reduce(0, +) == 1)
            #expect(now[1].finished.reduce(0, +) == 0 && now[2].errors.count == QueueHistory.minutes)
            let later = try await history(30 + 3599)
            #expect(later[0].finished.first == 1 && later[0].finished.reduce(0, +) == 2)
            #expect(try await history(30 + 3601)[0].finished.reduce(0, +) == 1)
            // What ends later than it is looked at is not counted.
            #expect(try await history(60)[0].finished.reduce(0, +) == 1)
        }
    }

    private func submit(_ farm: StoreFixture, _ label: String, _ priority: Int = 0) async throws -> ExportID {
        let request = ExportRequest(.document("{}"), label: label, priority: priority)
        return try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id
    }
}
