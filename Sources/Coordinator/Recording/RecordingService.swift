package import ArtifactStore
package import DraftModel
import ExportPlan
package import FarmAPI
package import JobQueue
package import Logging
import Recorder
import FoundationEssentials

/// Loads a recording of the farm, changes it and stores it. When somebody else changed it first, the change is repeated
/// on the new version.
///
/// No process waits for the export of a clip. Each request that reads a recording first applies the outcome of that
/// export (`settled`), so no outcome is missed even when all coordinators were down.
package struct RecordingService: Sendable {
    /// How often a change is retried when other changes come first.
    private static let attempts = 10

    let store: any FarmStore
    let queue: any CoordinatorQueue
    let assets: any AssetBlobs
    let films: any FilmFiles
    /// Called after every change that gives the leader work.
    let wake: @Sendable () -> Void

    /// - Parameter wake: called after every change that gives the leader work.
    package init(
        store: any FarmStore, queue: any CoordinatorQueue, assets: any AssetBlobs, films: any FilmFiles,
        wake: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.queue = queue
        self.assets = assets
        self.films = films
        self.wake = wake
    }

    /// - Throws: `RequestFault` `notFound`.
    package func find(_ id: RecordingID, _ caller: Caller) async throws -> RecordingRecord {
        guard let record = try await store.recording(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no recording \(id)")
        }
        return try await settled(record)
    }

    /// Changes a recording.
    /// - Parameter move: the change. It may run several times; nothing is stored when it throws.
    package func change(
        _ id: RecordingID, _ caller: Caller, _ move: (inout RecordingRecord.Content) throws -> Void
    ) async throws -> RecordingRecord {
        for _ in 0..<RecordingService.attempts {
            var record = try await find(id, caller)
            try move(&record.content)
            if let changed = try await store.changeRecording(record) { return changed }
        }
        throw RequestFault(.conflict, "the recording is being changed by another request; try again")
    }

    /// Puts a finished recording's draft into the library and then marks the recording as finished.
    /// - Parameter done: the recording's content once it is finished.
    package func finish(
        _ found: RecordingRecord, as done: RecordingRecord.Content, _ caller: Caller
    ) async throws -> RecordingRecord {
        let document = try RecordingService.document(done.recording.draft { RecordingBody.url(of: $0, in: done) })
        let revision = try await store.putDraft("recording-\(found.id)", document: document, tenant: found.tenant)
        var concluded = done
        concluded.draft = revision
        return try await change(found.id, caller) { content in try content.become(concluded, from: found.content.recording) }
    }

    // MARK: A clip's export

    /// Begins a clip whose media are an asset.
    package func begin(_ clip: ClipSettings, input: String, _ id: RecordingID, _ caller: Caller) async throws -> RecordingRecord {
        let record = try await change(id, caller) { content in
            _ = try content.recording.begin(clip)
            content.making = .init(input: input, export: ExportID())
        }
        try await submit(record)
        return record
    }

    /// Submits the clip's own draft as an export. The idempotency key makes a second call harmless.
    private func submit(_ record: RecordingRecord) async throws {
        guard let take = record.content.recording.take, let making = record.content.making else { return }
        let recording = record.content.recording
        let draft = recording.clipDraft(of: take, url: AssetLocation.location(of: making.input))
        let request = ExportRequest(
            .document(try RecordingService.document(draft)), label: "recording \(record.id) clip \(take.number)",
            settings: recording.encoding(of: take.settings).values)
        // The key contains spaces, which a client's key cannot, so the two never clash.
        let key = "recording \(record.id) clip \(take.number)"
        _ = try await store.submit(request, id: making.export, tenant: record.tenant, idempotency: (key, making.input))
        wake()
    }

    /// The recording after the outcome of the clip being recorded has been applied.
    package func settled(_ found: RecordingRecord) async throws -> RecordingRecord {
        var record = found
        for _ in 0..<RecordingService.attempts {
            guard let take = record.content.recording.take, let making = record.content.making else { return record }
            guard let export = try await store.export(making.export, tenant: record.tenant) else {
                // The process that began the clip ended before it submitted the export.
                try await submit(record)
                return record
            }
            guard try await apply(export, of: making.input, to: take.number, of: &record) else { return record }
            if let changed = try await store.changeRecording(record) { return changed }
            guard let newer = try await store.recording(record.id, tenant: record.tenant) else { return record }
            record = newer
        }
        return record
    }

    /// - Parameter input: the sha256 of the media that were uploaded for the clip.
    /// - Returns: false while the export is under way.
    private func apply(
        _ export: Export, of input: String, to number: Int, of record: inout RecordingRecord
    ) async throws -> Bool {
        switch export.state {
        case .submitted, .probing, .rendering: return false
        case .completed:
            if let film = try await storeFilmAsAsset(of: export, as: "recording-\(record.id)-\(number)") {
                try record.content.recording.record(number, frameCount: export.frameCount ?? 0)
                record.content.films[number] = film
                record.content.inputs = (record.content.inputs ?? [:]).merging([number: input]) { _, new in new }
            } else {
                try record.content.recording.lose(number, "its film is no longer in the farm's storage")
            }
        case .failed:
            let settings = record.content.recording.settings
            let faults = export.failure?.diagnostics.map { $0.ofRecording(settings, input: "the upload") } ?? []
            let reason = faults.isEmpty ? export.failure?.message : DraftError(faults).description
            try record.content.recording.lose(number, reason ?? "its export failed")
        case .cancelled: try record.content.recording.lose(number, "its export was cancelled")
        }
        record.content.making = nil
        return true
    }

    /// Stores an export's film as an asset, so that a draft can name it.
    /// - Returns: its sha256; nil when the film is gone.
    private func storeFilmAsAsset(of export: Export, as name: String) async throws -> String? {
        guard let key = export.filmKey else { return nil }
        guard let film = try await films.film(key, tenant: export.tenant) else {
            // Forget the artifact, so that the next clip with the same film renders it again.
            try await store.forget([key], tenant: export.tenant)
            return nil
        }
        let upload = try await assets.beginUpload(tenant: export.tenant)
        do {
            try await upload.write(file: film)
            let (hash, byteCount) = try await upload.finish(as: nil)
            let asset = Asset(hash: hash, byteCount: byteCount, name: name, createdAt: Date())
            try await store.putAsset(asset, tenant: export.tenant)
            return hash
        } catch {
            await upload.abandon()
            throw error
        }
    }

    /// Cancels the export of a clip that is no longer wanted.
    package func cancel(_ making: RecordingRecord.Making?, _ logger: Logger) async throws {
        guard let making, let attempts = try await store.cancel(making.export) else { return }
        do {
            try await queue.cancel(attempts)
        } catch {
            // Later reports of workers about the export are ignored.
            logger.warning("workers could not be told of a discarded clip", metadata: ["error": "\(error)"])
        }
        wake()
    }

    package static func document(_ draft: Draft) throws -> String {
        String(decoding: try FarmJSON.encode(draft), as: UTF8.self)
    }
}

extension RecordingRecord.Content {
    /// Replaces the content.
    /// - Throws: `RequestFault` when the recording was changed meanwhile.
    fileprivate mutating func become(_ next: RecordingRecord.Content, from known: Recording) throws {
        guard recording == known else {
            throw RequestFault(.conflict, "the recording was changed by another request meanwhile; finish it again")
        }
        self = next
    }
}
