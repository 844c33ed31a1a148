import FarmAPI
import Coordinator
import FoundationEssentials

extension FaultyStore: KeyedAnswerStore {
    func beginRequest(_ key: String, hash: String, tenant: Int64) async throws -> KeyedRequest {
        try await write { await $0.beginRequest(key, hash: hash, tenant: tenant) }
    }
    func endRequest(_ key: String, tenant: Int64, _ answer: KeyedAnswer?) async throws {
        try await write { await $0.endRequest(key, tenant: tenant, answer) }
    }
}

/// Batches, which the store in memory answers by itself.
extension FaultyStore: BatchStore {
    func submit(_ batch: NewBatch) async throws -> (batch: Batch, isNew: Bool) {
        try await write { try await $0.submit(batch) }
    }
    func batch(_ id: BatchID, tenant: Int64?) async throws -> Batch? { try await read { await $0.batch(id, tenant: tenant) } }
    func batches(tenant: Int64?, state: BatchState?, before number: Int64?, limit: Int) async throws -> [Batch] {
        try await read { await $0.batches(tenant: tenant, state: state, before: number, limit: limit) }
    }
    func results(of id: BatchID, after row: Int, state: BatchRowState?, limit: Int) async throws -> [BatchResult] {
        try await read { await $0.results(of: id, after: row, state: state, limit: limit) }
    }
    func cancelWaiting(_ id: BatchID, limit: Int) async throws -> [ExportID]? {
        try await write { await $0.cancelWaiting(id, limit: limit) }
    }
    func rerunFailed(_ id: BatchID) async throws -> Int { try await write { await $0.rerunFailed(id) } }
    func releaseRows(at now: Date) async throws -> Int { try await write { await $0.releaseRows(at: now) } }
    func hasWaitingRows() async throws -> Bool { try await read { await $0.hasWaitingRows() } }
}
