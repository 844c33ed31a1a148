import ArtifactStore
import Coordinator
import DraftModel
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import Recorder
import Testing
import FoundationEssentials

/// Requests that change one recording at a time.
@Suite("A recording that others change, too", .timeLimit(.minutes(1)))
struct RecordingConflictTests {
    /// A storage that no request of these tests asks for anything.
    private struct NoFiles: AssetBlobs, FilmFiles {
        func file(of hash: String, tenant: Int64) async throws -> String? { nil }
        func beginUpload(tenant: Int64) async throws -> any AssetUpload { throw CancellationError() }
        func film(_ key: ArtifactKey, tenant: Int64) async throws -> String? { nil }
        func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? { nil }
    }

    private static func service(_ store: any FarmStore) -> RecordingService {
        RecordingService(store: store, queue: MemoryJobQueue(), assets: NoFiles(), films: NoFiles()) {}
    }

    /// Stores a recording without clips.
    private static func begin(_ store: any FarmStore) async throws -> (record: RecordingRecord, caller: Caller) {
        let tenant = try await store.createTenant("studio", weight: 1).id
        let settings = try #require(RecordingSettings.read(Data("{}".utf8)).settings)
        let record = RecordingRecord(
            id: RecordingID(), tenant: tenant, content: .init(Recording(settings)),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        try await store.createRecording(record)
        return (record, Caller(tenant: tenant, isOperator: false))
    }

    @Test("A change that others always come before is refused, and changes nothing")
    func alwaysLate() async throws {
        let lease = try await LeaseFixture()
        let (record, caller) = try await Self.begin(lease.store)
        // Another request seems to change the recording between each look and each change.
        try await lease.pool.execute(
            "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
        try await lease.pool.execute(
            "CREATE TRIGGER skip BEFORE UPDATE ON recordings FOR EACH ROW EXECUTE FUNCTION skip()")
        let fault = await #expect(throws: RequestFault.self) {
            _ = try await Self.service(lease.store).change(record.id, caller) { try $0.recording.discard() }
        }
        #expect(fault?.code == .conflict)
        #expect(fault?.message == "the recording is being changed by another request; try again")
        #expect(try await lease.store.recording(record.id, tenant: nil) == record)
        await lease.pool.close()
    }

    @Test("A recording that changes while its draft is stored is not finished")
    func changedMeanwhile() async throws {
        let store = MemoryFarmStore()
        let (record, caller) = try await Self.begin(store)
        let service = Self.service(store)
        _ = try await service.change(record.id, caller) { try $0.recording.discard() }
        let fault = await #expect(throws: RequestFault.self) {
            _ = try await service.finish(record, as: record.content, caller)
        }
        #expect(fault?.code == .conflict)
        #expect(fault?.message == "the recording was changed by another request meanwhile; finish it again")
    }
}
