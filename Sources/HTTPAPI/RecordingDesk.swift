import Coordinator
import DraftModel
import ExportPlan
import FarmAPI
import Hummingbird
import JobQueue
import Logging
import Recorder

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Recordings of the farm: loads one, moves it on, and stores it, again where somebody else was quicker.
///
/// Nobody waits for a clip's export. Whoever looks at a recording finds out what has become of it, and applies that first
/// (`settled`); so a recording needs no process of its own, and misses nothing when all coordinators are away.
struct RecordingDesk {
    /// How often a change is tried when others get in between.
    private static let attempts = 10

    let service: FarmService

    private var store: any FarmStore { service.store }

    /// - Throws: `RequestFault` `notFound`.
    func find(_ id: RecordingID, _ caller: Caller) async throws -> RecordingRecord {
        guard let record = try await store.recording(id, tenant: caller.sees) else {
            throw RequestFault(.notFound, "there is no recording \(id)")
        }
        return try await settled(record)
    }

    /// Changes a recording.
    /// - Parameter move: may be called several times; nothing is stored when it throws.
    func change(
        _ id: RecordingID, _ caller: Caller, _ move: (inout RecordingRecord.Content) throws -> Void
    ) async throws -> RecordingRecord {
        for _ in 0..<RecordingDesk.attempts {
            var record = try await find(id, caller)
            try move(&record.content)
            if let changed = try await store.changeRecording(record) { return changed }
        }
        throw RequestFault(.conflict, "the recording is being changed by others; try again")
    }

    /// Puts a finished recording's draft into the library, and then it is finished.
    /// - Parameter done: what it will be.
    func finish(
        _ found: RecordingRecord, as done: RecordingRecord.Content, _ caller: Caller
    ) async throws -> RecordingRecord {
        let document = try RecordingDesk.document(done.recording.draft { RecordingBody.url(of: $0, in: done) })
        let revision = try await store.putDraft("recording-\(found.id)", document: document, tenant: found.tenant)
        var concluded = done
        concluded.draft = revision
        return try await change(found.id, caller) { content in try content.become(concluded, from: found.content.recording) }
    }

    // MARK: A clip's export

    /// Begins a clip from an asset.
    func begin(_ clip: ClipSettings, input: String, _ id: RecordingID, _ caller: Caller) async throws -> RecordingRecord {
        let record = try await change(id, caller) { content in
            _ = try content.recording.begin(clip)
            content.making = .init(input: input, export: ExportID())
        }
        try await submit(record)
        return record
    }

    /// Hands the clip's own draft in as an export; done twice it is done once.
    private func submit(_ record: RecordingRecord) async throws {
        guard let take = record.content.recording.take, let making = record.content.making else { return }
        let recording = record.content.recording
        let draft = recording.clipDraft(of: take, url: AssetLocation.location(of: making.input))
        let request = ExportRequest(
            .document(try RecordingDesk.document(draft)), label: "recording \(record.id) clip \(take.number)",
            settings: recording.encoding(of: take.settings).values)
        // No client's key has a space in it.
        let key = "recording \(record.id) clip \(take.number)"
        _ = try await store.submit(request, id: making.export, tenant: record.tenant, idempotency: (key, making.input))
        service.wake()
    }

    /// The recording with what has become of the clip that was being recorded.
    func settled(_ found: RecordingRecord) async throws -> RecordingRecord {
        var record = found
        for _ in 0..<RecordingDesk.attempts {
            guard let take = record.content.recording.take, let making = record.content.making else { return record }
            guard let export = try await store.export(making.export, tenant: record.tenant) else {
                // Whoever began the clip did not come to this.
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

    /// - Parameter input: sha256 of what came in for the clip.
    /// - Returns: false while the export is under way.
    private func apply(
        _ export: Export, of input: String, to number: Int, of record: inout RecordingRecord
    ) async throws -> Bool {
        switch export.state {
        case .submitted, .probing, .rendering: return false
        case .completed:
            if let film = try await adoptFilm(of: export, as: "recording-\(record.id)-\(number)") {
                try record.content.recording.record(number, frameCount: export.frameCount ?? 0)
                record.content.films[number] = film
                record.content.inputs = (record.content.inputs ?? [:]).merging([number: input]) { _, new in new }
            } else {
                try record.content.recording.lose(number, "its film is no longer in the farm's storage")
            }
        case .failed:
            let faults = export.failure?.diagnostics.map { $0.ofRecording(input: "the upload") } ?? []
            let reason = faults.isEmpty ? export.failure?.message : DraftError(faults).description
            try record.content.recording.lose(number, reason ?? "its export failed")
        case .cancelled: try record.content.recording.lose(number, "its export was cancelled")
        }
        record.content.making = nil
        return true
    }

    /// Keeps an export's film as an asset, so that a draft can name it.
    /// - Returns: its sha256; nil when the film is gone.
    private func adoptFilm(of export: Export, as name: String) async throws -> String? {
        guard let key = export.filmKey, let film = try await service.films.film(key, tenant: export.tenant) else { return nil }
        let upload = try await service.assets.beginUpload(tenant: export.tenant)
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

    /// Ends the export of a clip that nobody wants any more.
    func cancel(_ making: RecordingRecord.Making?, _ context: FarmRequestContext) async throws {
        guard let making, let attempts = try await store.cancel(making.export) else { return }
        do {
            try await service.queue.cancel(attempts)
        } catch {
            // What a worker still reports of it is ignored.
            context.logger.warning("workers could not be told of a discarded clip", metadata: ["error": "\(error)"])
        }
        service.wake()
    }

    static func document(_ draft: Draft) throws -> String {
        String(decoding: try FarmJSON.encode(draft), as: UTF8.self)
    }
}

extension RecordingRecord.Content {
    /// - Throws: `RequestFault` where it is no longer what it was.
    fileprivate mutating func become(_ next: RecordingRecord.Content, from known: Recording) throws {
        guard recording == known else {
            throw RequestFault(.conflict, "the recording was changed by others meanwhile; finish it again")
        }
        self = next
    }
}
