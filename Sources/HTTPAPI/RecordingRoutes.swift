import BlockingWork
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import Recorder

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Recordings: begin, take clips, finish, discard.
struct RecordingRoutes {
    let service: FarmService

    private var store: any FarmStore { service.store }
    private var desk: RecordingDesk { RecordingDesk(service: service) }

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.post("recordings", use: create)
        v1.get("recordings", use: list)
        v1.get("recordings/:id", use: show)
        v1.put("recordings/:id/music", use: setMusic)
        v1.delete("recordings/:id/music", use: removeMusic)
        v1.post("recordings/:id/clips", use: append)
        v1.delete("recordings/:id/clips/last", use: discardLast)
        v1.post("recordings/:id/finish", use: finish)
        v1.delete("recordings/:id", use: discard)
    }

    /// The body is the settings; everything that they name is looked for now.
    @Sendable private func create(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let body = try await text(request, "the settings", caller, context)
        let (settings, faults) = try await service.work.run(lane: caller.tenant) { RecordingSettings.read(Data(body.utf8)) }
        guard let settings, faults.errors.isEmpty else { throw fault(faults) }
        let recording = Recording(settings)
        try await check(recording, caller)
        let record = RecordingRecord(id: RecordingID(), tenant: caller.tenant, content: .init(recording), createdAt: Date())
        try await store.createRecording(record)
        return try .json(
            RecordingBody(record), status: .created, headers: [.location: "/v1/recordings/\(record.id)"])
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let limit = try request.query("limit").limit()
        var bodies: [RecordingBody] = []
        for record in try await store.recordings(tenant: caller.sees, limit: limit) {
            bodies.append(RecordingBody(try await desk.settled(record)))
        }
        return try .json(Listing(bodies, at: Date()))
    }

    @Sendable private func show(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        return try .json(RecordingBody(try await desk.find(try id(context), caller)))
    }

    @Sendable private func setMusic(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let body = try await text(request, "the music", caller, context)
        let (music, faults) = try await service.work.run(lane: caller.tenant) { RecordingSettings.BackgroundMusic.read(body) }
        guard let music else { throw fault(faults) }
        var trial = try await desk.find(try id(context), caller).content.recording
        try trial.setBackgroundMusic(music)
        try await check(trial, caller)
        return try .json(
            RecordingBody(try await desk.change(try id(context), caller) { try $0.recording.setBackgroundMusic(music) }))
    }

    @Sendable private func removeMusic(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        return try .json(
            RecordingBody(try await desk.change(try id(context), caller) { try $0.recording.setBackgroundMusic(nil) }))
    }

    /// The body is the media. They become an asset, and the clip an export; an upload that breaks off leaves nothing.
    @Sendable private func append(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let id = try id(context)
        let (clip, clipFaults) = ClipSettings.read(try request.query("speed", "volume", "fileType").values)
        var trial = try await desk.find(id, caller)
        let take = try trial.content.recording.begin(clip)
        let (_, faults) = ExportSettings.read(trial.content.recording.encoding(of: clip).values)
        guard clipFaults.errors.isEmpty, faults.errors.isEmpty else { throw fault(clipFaults + faults) }
        let upload = try await AssetRoutes(service).receive(
            request, as: nil, name: "recording-\(id)-\(take.number)-input", tenant: trial.tenant)
        guard upload.byteCount > 0 else { throw RequestFault(.badRequest, "the body is the clip's media; it is empty") }
        let record = try await desk.begin(clip, input: upload.hash, id, caller)
        return try .json(
            RecordingBody(record), status: .created, headers: [.location: "/v1/recordings/\(id)"])
    }

    @Sendable private func discardLast(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let record = try await desk.change(try id(context), caller) { content in
            let number = try content.recording.discardLast().number
            content.films[number] = nil
            content.inputs?[number] = nil
        }
        return try .json(RecordingBody(record))
    }

    /// Puts the draft into the library. A recording that is finished already is answered as it is.
    @Sendable private func finish(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let found = try await desk.find(try id(context), caller)
        if found.content.recording.state == .finished { return try .json(RecordingBody(found)) }
        return try .json(RecordingBody(try await desk.finish(found, as: try finished(found.content), caller)))
    }

    /// - Throws: a fault that names the export on which a clip still waits.
    private func finished(_ content: RecordingRecord.Content) throws -> RecordingRecord.Content {
        var done = content
        do {
            try done.recording.finish()
        } catch {
            guard error.code == .isRecording, let making = content.making else { throw error }
            throw RequestFault(.conflict, "\(error.description): export \(making.export) is making it")
        }
        return done
    }

    @Sendable private func discard(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let id = try id(context)
        var making: RecordingRecord.Making?
        let record = try await desk.change(id, caller) { content in
            try content.recording.discard()
            making = content.making
            content.making = nil
            content.films = [:]
            content.inputs = nil
        }
        try await desk.cancel(making, context)
        return try .json(RecordingBody(record))
    }

    /// Everything that can be said of settings without looking at media.
    private func check(_ recording: Recording, _ caller: Caller) async throws {
        do {
            _ = try await SubmissionCheck(service, tenant: caller.tenant).check(
                try RecordingDesk.document(recording.trialDraft()), parameters: [:],
                settings: recording.encoding(of: ClipSettings()).values)
        } catch let error as RequestFault {
            throw fault(error.diagnostics?.map { $0.ofRecording() } ?? [], or: error)
        }
    }

    private func fault(_ faults: [DraftDiagnostic], or other: RequestFault? = nil) -> RequestFault {
        if faults.isEmpty, let other { return other }
        let count = faults.count == 1 ? "one fault" : "\(faults.count) faults"
        return RequestFault(.invalid, "the settings have \(count)", diagnostics: faults)
    }

    private func text(
        _ request: Request, _ what: String, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> String {
        let body = try await request.bytes(upTo: service.options.documentLimit, context)
        return try await service.work.run(lane: caller.tenant) {
            guard let text = String(validating: body, as: UTF8.self) else {
                throw RequestFault(.badRequest, "\(what) is not UTF-8")
            }
            try TextCheck.noNUL(inJSON: text, what)
            return text
        }
    }

    private func id(_ context: FarmRequestContext) throws -> RecordingID {
        let text = try context.parameters.require("id")
        guard let id = RecordingID(text) else { throw RequestFault(.notFound, "'\(text)' is no recording's id") }
        return id
    }
}
