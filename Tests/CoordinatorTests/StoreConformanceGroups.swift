import FarmAPI
import Coordinator
import Testing

@Suite("Every store: submitting several exports at once")
struct StoreConformanceGroups {
    @Test("They keep their order, and known ones are not accepted again", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            _ = try await store.putDraft("opening", document: "[1]", tenant: farm.tenant)
            _ = try await store.putDraft("opening", document: "[2]", tenant: farm.tenant)
            let other = try await store.createTenant("other", weight: 1, priorityCap: -3)
            let early = try await farm.submit("early", idempotency: (key: "k3", bodyHash: "3"))
            let wanted = [
                farm.new("0", document: "{\"a\": \"Grüße\"}", key: "k0"),
                NewExport(
                    ExportRequest(.named("opening", revision: 1), label: "1", parameters: ["who": "a, \"b\" {c}"]),
                    id: ExportID(), tenant: farm.tenant, idempotency: nil),
                NewExport(
                    ExportRequest(.document("{\"b\": 1}"), label: "NULL", settings: ["crf": "20"], pool: "gpu"), id: ExportID(),
                    tenant: other.id, idempotency: .init(key: "k3", bodyHash: "another tenant's")),
                farm.new("3", document: "{}", key: "k3"),
                farm.new("", document: "{\"c\": 1}", key: nil),
            ]
            let accepted = try await store.submit(wanted)
            #expect(accepted.map(\.isNew) == [true, true, true, false, true])
            #expect(accepted[3].export.id == early.id)
            let new = accepted.filter(\.isNew).map(\.export)
            let numbers = new.map(\.number)
            #expect(numbers == numbers.sorted())
            #expect(Set(numbers).count == 4)
            #expect(new.map(\.label) == ["0", "1", "NULL", ""])
            #expect(new.map(\.priority) == [0, 0, -3, 0])
            let ids = [0, 1, 2, 4].map { wanted[$0].id }
            let sources = try await store.sources(of: ids, documentBytes: 1 << 20)
            let documents = ["{\"a\": \"Grüße\"}", "[1]", "{\"b\": 1}", "{\"c\": 1}"]
            #expect(sources.map(\.document) == documents)
            let parameters: [[String: String]] = [[:], ["who": "a, \"b\" {c}"], [:], [:]]
            #expect(sources.map(\.parameters) == parameters)
            let settings: [[String: String]] = [[:], [:], ["crf": "20"], [:]]
            #expect(sources.map(\.settings) == settings)
            #expect(sources.map(\.pool) == ["default", "default", "gpu", "default"])
            for id in ids { #expect(try await farm.eventKinds(id) == [.submitted]) }
            // The second try of the whole group finds every export that had a key.
            let again = try await store.submit([wanted[0], wanted[2], wanted[3]])
            #expect(again.map(\.isNew) == [false, false, false])
            #expect(again.map(\.export.id) == [wanted[0].id, wanted[2].id, early.id])
        }
    }

    @Test("Where one is at fault, none is accepted", arguments: StoreKind.allCases)
    func none(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            _ = try await farm.submit("early", idempotency: (key: "used", bodyHash: "1"))
            let good = farm.new("good", document: "{}", key: "k")
            func refused(_ code: FarmError.Code, _ bad: NewExport, saying message: String? = nil) async {
                await expectRefusal(code, saying: message) { _ = try await store.submit([good, bad]) }
            }
            await refused(.conflict, farm.new("bad", document: "{}", key: "used"))
            await refused(
                .conflict, farm.new("bad", document: "{}", key: "k"),
                saying: kind == .memory ? "two exports have the same id or the same idempotency key" : nil)
            await refused(.forbidden, farm.new("bad", document: "{}", key: nil, priority: 100))
            await refused(
                .notFound,
                NewExport(
                    ExportRequest(.named("no such draft", revision: nil), label: "bad"), id: ExportID(), tenant: farm.tenant,
                    idempotency: nil))
            #expect(try await store.exports(ExportFilter(limit: 10)).map(\.label) == ["early"])
            #expect(try await store.submit([good]).map(\.isNew) == [true], "its key is not taken")
            #expect(try await store.submit([]).isEmpty)
        }
    }
}

extension StoreFixture {
    fileprivate func new(_ label: String, document: String, key: String?, priority: Int? = nil) -> NewExport {
        NewExport(
            ExportRequest(.document(document), label: label, priority: priority), id: ExportID(), tenant: tenant,
            idempotency: key.map { NewExport.Idempotency(key: $0, bodyHash: label) })
    }
}
