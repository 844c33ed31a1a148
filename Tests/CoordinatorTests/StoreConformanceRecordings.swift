import FarmAPI
import Coordinator
import DraftModel
import Recorder
import Testing
import Vocabulary
import FoundationEssentials

@Suite("Every store: recordings")
struct StoreConformanceRecordings {
    private func record(_ farm: StoreFixture, age: Double = 0, tenant: Int64? = nil) throws -> RecordingRecord {
        let text = #"{"videoSize": {"width": 320, "height": 180}, "frameRate": "30000/1001", "maxDuration": 2.5}"#
        let settings = try #require(RecordingSettings.read(Data(text.utf8)).settings)
        // Whole seconds, because a store may keep times with fewer digits than memory has.
        let time = Date(timeIntervalSince1970: 1_700_000_000 - age)
        return RecordingRecord(
            id: RecordingID(), tenant: tenant ?? farm.tenant, content: .init(Recording(settings)), createdAt: time)
    }

    @Test("A recording is kept with everything in it, in every state", arguments: StoreKind.allCases)
    func roundTrip(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var record = try record(farm)
            try await farm.store.createRecording(record)
            #expect(try await farm.store.recording(record.id, tenant: farm.tenant) == record)

            let take = try record.content.recording.begin(ClipSettings(volume: 0.3, fileType: .mov))
            record.content.making = .init(input: String(repeating: "ab", count: 32), export: ExportID())
            record = try #require(try await farm.store.changeRecording(record))
            #expect(record.version == 2)
            #expect(try await farm.store.recording(record.id, tenant: nil) == record)

            try record.content.recording.record(take.number, frameCount: 75)
            #expect(record.content.recording.state == .full)
            record.content.making = nil
            record.content.films = [take.number: String(repeating: "cd", count: 32)]
            record = try #require(try await farm.store.changeRecording(record))
            try record.content.recording.finish()
            let draft = try await farm.store.putDraft("recording", document: "{}", tenant: farm.tenant)
            record.content.draft = draft
            record = try #require(try await farm.store.changeRecording(record))
            let found = try #require(try await farm.store.recording(record.id, tenant: farm.tenant))
            #expect(found == record && found.version == 4 && found.content.draft?.name == "recording")
        }
    }

    @Test("The first of two changes of one version counts, the second changes nothing", arguments: StoreKind.allCases)
    func versions(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let record = try record(farm)
            try await farm.store.createRecording(record)
            var (first, second) = (record, record)
            _ = try first.content.recording.begin(ClipSettings())
            try second.content.recording.discard()
            let changed = try await farm.store.changeRecording(first)
            #expect(changed?.version == 2)
            #expect(try await farm.store.changeRecording(second) == nil)
            #expect(try await farm.store.recording(record.id, tenant: nil) == changed)
            let unknown = try self.record(farm)
            #expect(try await farm.store.changeRecording(unknown) == nil)
        }
    }

    @Test("A recording's id can be used only once", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let record = try record(farm)
            try await farm.store.createRecording(record)
            await expectRefusal(
                .conflict,
                saying: kind == .memory ? "there is a recording \(record.id) already" : "the database refused the change: "
            ) {
                try await farm.store.createRecording(record)
            }
        }
    }

    @Test("Recordings are listed newest first, and only to their own tenant", arguments: StoreKind.allCases)
    func listing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let records = [try record(farm, age: 20), try record(farm, age: 10), try record(farm, age: 30, tenant: other)]
            for record in records { try await farm.store.createRecording(record) }
            #expect(
                try await farm.store.recordings(tenant: farm.tenant, after: nil, limit: 10).map(\.id) == [
                    records[1].id, records[0].id,
                ])
            #expect(
                try await farm.store.recordings(tenant: nil, after: nil, limit: 2).map(\.id) == [records[1].id, records[0].id])
            #expect(try await farm.store.recordings(tenant: nil, after: nil, limit: 10).count == 3)
            #expect(try await farm.store.recording(records[0].id, tenant: other) == nil)
            #expect(try await farm.store.recording(RecordingID(), tenant: nil) == nil)
        }
    }
}
