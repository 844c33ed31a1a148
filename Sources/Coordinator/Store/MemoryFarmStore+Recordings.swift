package import FarmAPI

/// Recordings, in memory.
extension MemoryFarmStore: RecordingStore {
    package func createRecording(_ record: RecordingRecord) throws {
        guard tenantExists(record.tenant) else { throw FarmError(.notFound, "there is no tenant \(record.tenant)") }
        guard recordingRows[record.id] == nil else { throw FarmError(.conflict, "there is a recording \(record.id) already") }
        recordingRows[record.id] = record
    }

    package func recording(_ id: RecordingID, tenant: Int64?) -> RecordingRecord? {
        recordingRows[id].flatMap { tenant == nil || tenant == $0.tenant ? $0 : nil }
    }

    package func recordings(tenant: Int64?, after place: ListingPlace?, limit: Int) -> [RecordingRecord] {
        let found = recordingRows.values.filter {
            (tenant == nil || tenant == $0.tenant) && place?.isBefore($0.place) ?? true
        }
        return Array(found.sorted { $0.place.isBefore($1.place) }.prefix(limit))
    }

    package func changeRecording(_ record: RecordingRecord) -> RecordingRecord? {
        guard var row = recordingRows[record.id], row.version == record.version else { return nil }
        row.content = record.content
        row.version += 1
        recordingRows[record.id] = row
        return row
    }
}

extension RecordingRecord {
    /// Its place in listings.
    fileprivate var place: ListingPlace { ListingPlace(createdAt: createdAt, id: id.text) }
}
