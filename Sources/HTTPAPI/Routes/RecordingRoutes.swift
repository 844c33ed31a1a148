import BlockingWork
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import Recorder
import FoundationEssentials

/// Begins recordings, changes, finishes and discards them.
struct RecordingRoutes {
    let service: FarmService

    private var store: any FarmStore { service.store }
    var recordings: RecordingService { service.recordings }

    func add(to router: inout DescribedRouter) {
        add(toRecordings: &router)
        add(toClips: &router)
    }

    private func add(toRecordings router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .post, "/v1/recordings", "createRecording", "Begins a recording. Every source that its settings name must exist.",
                scopes: [.submit],
                body: .json("the settings ([recording.md](recording.md)); sources are named `asset:` and their sha256"),
                answers: [
                    .json(RecordingBody.self, "the recording, with its address in `Location`", status: 201, headers: [.location])
                ],
                faults: [.badRequest, .tooLarge, .invalid]), use: create)
        router.add(
            RouteDescription(
                .get, "/v1/recordings", "listRecordings", "Lists recordings, the newest first.", scopes: [.read],
                query: QueryParameter.page,
                answers: [.json(Listing<RecordingBody>.self, "a listing of recordings")], faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/recordings/:id", "getRecording", "Shows a recording.", scopes: [.read], parameters: [.recording],
                answers: [.json(RecordingBody.self, "the recording")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .patch, "/v1/recordings/:id/settings", "changeRecordingSettings",
                "Changes settings, for the clips that follow and for the draft. While there are clips, their size and the music stay.",
                scopes: [.submit], parameters: [.recording],
                body: .json("the settings that change; `null` takes one away ([recording.md](recording.md))"),
                answers: [.json(RecordingBody.self, "the recording")],
                faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid]),
            use: changeSettings)
        router.add(
            RouteDescription(
                .put, "/v1/recordings/:id/music", "setRecordingMusic",
                "Sets the background music of a recording that has no clip.",
                scopes: [.submit], parameters: [.recording],
                body: .json("`url`, `timeRange`, `volume`, `loop`, as in [recording.md](recording.md)"),
                answers: [.json(RecordingBody.self, "the recording")],
                faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid]),
            use: setMusic)
        router.add(
            RouteDescription(
                .delete, "/v1/recordings/:id/music", "removeRecordingMusic",
                "Removes the background music of a recording that has no clip.",
                scopes: [.submit], parameters: [.recording], answers: [.json(RecordingBody.self, "the recording")],
                faults: [.notFound, .conflict]),
            use: removeMusic)
        router.add(
            RouteDescription(
                .post, "/v1/recordings/:id/finish", "finishRecording",
                "Puts the recording's draft into the library as `recording-ID`. A repeated request gets the same answer. 409 says why the "
                    + "recording cannot be finished, and names the export of a clip that is not there yet.",
                scopes: [.submit], parameters: [.recording], answers: [.json(RecordingBody.self, "the recording")],
                faults: [.notFound, .conflict]),
            use: finish)
        router.add(
            RouteDescription(
                .delete, "/v1/recordings/:id", "discardRecording",
                "Discards a recording, and cancels the export of the clip that is being recorded.",
                scopes: [.submit], parameters: [.recording], answers: [.json(RecordingBody.self, "the recording")],
                faults: [.notFound, .conflict]),
            use: discard)
    }

    /// Begins a recording. The body holds its settings; every source that they name must exist now.
    @Sendable private func create(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
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

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let place = try page.listingPlace { RecordingID($0) != nil }
        var bodies: [RecordingBody] = []
        for record in try await store.recordings(tenant: caller.visibleTenant, after: place, limit: page.asked) {
            bodies.append(RecordingBody(try await recordings.settled(record)))
        }
        return try .json(page.listing(bodies) { Page.text(ListingPlace(createdAt: $0.createdAt, id: $0.id.text)) })
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(RecordingBody(try await recordings.find(try id(context), caller)))
    }

    @Sendable private func setMusic(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response
    {
        let body = try await text(request, "the music", caller, context)
        let (music, faults) = try await service.work.run(lane: caller.tenant) { RecordingSettings.BackgroundMusic.read(body) }
        guard let music else { throw fault(faults) }
        var trial = try await recordings.find(try id(context), caller).content.recording
        try trial.setBackgroundMusic(music)
        try await check(trial, caller)
        return try .json(
            RecordingBody(try await recordings.change(try id(context), caller) { try $0.recording.setBackgroundMusic(music) }))
    }

    /// Changes the settings. The new ones are checked like those of a new recording.
    @Sendable private func changeSettings(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let patch = Data(try await text(request, "the settings", caller, context).utf8)
        @Sendable func changed(_ recording: Recording) throws -> Recording {
            let (settings, faults) = recording.settings.changed(by: patch)
            guard let settings, faults.errors.isEmpty else { throw fault(faults) }
            var changed = recording
            try changed.change(settings)
            return changed
        }
        let found = try await recordings.find(try id(context), caller).content.recording
        try await check(try await service.work.run(lane: caller.tenant) { try changed(found) }, caller)
        return try .json(
            RecordingBody(
                try await recordings.change(try id(context), caller) { $0.recording = try changed($0.recording) }))
    }

    @Sendable private func removeMusic(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        return try .json(
            RecordingBody(try await recordings.change(try id(context), caller) { try $0.recording.setBackgroundMusic(nil) }))
    }

    /// Puts the draft into the library. A recording that is finished already is returned as it is.
    @Sendable private func finish(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let found = try await recordings.find(try id(context), caller)
        if found.content.recording.state == .finished { return try .json(RecordingBody(found)) }
        return try .json(RecordingBody(try await recordings.finish(found, as: try finished(found.content), caller)))
    }

    /// - Throws: a fault that names the export for which a clip still waits.
    private func finished(_ content: RecordingRecord.Content) throws -> RecordingRecord.Content {
        var done = content
        do {
            try done.recording.finish()
        } catch {
            guard error.code == .isRecording, let making = content.making else { throw error }
            throw RequestFault(.conflict, "\(error.description): export \(making.export) renders it")
        }
        return done
    }

    @Sendable private func discard(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try id(context)
        var making: RecordingRecord.Making?
        let record = try await recordings.change(id, caller) { content in
            try content.recording.discard()
            making = content.making
            content.making = nil
            content.films = [:]
            content.inputs = nil
        }
        try await recordings.cancel(making, context.logger)
        return try .json(RecordingBody(record))
    }

    /// Checks everything about the settings that can be checked without reading media.
    private func check(_ recording: Recording, _ caller: Caller) async throws {
        if recording.copiesPictures, recording.settings.frameRate == nil {
            let message = "is required with passthrough: give that of the media, which spool probe prints"
            throw fault([DraftDiagnostic(path: "frameRate", code: .missingField, message: message)])
        }
        do {
            _ = try await service.submissionCheck(tenant: caller.tenant).check(
                try RecordingService.document(recording.validationDraft()), parameters: [:],
                settings: recording.validationEncoding.values)
        } catch let error as RequestFault {
            throw fault(error.diagnostics?.map { $0.ofRecording(recording.settings) } ?? [], or: error)
        }
        guard let draft = recording.settings.draft else { return }
        do {
            _ = try await service.submissionCheck(tenant: caller.tenant).check(
                try RecordingService.document(draft), parameters: [:], settings: [:])
        } catch let error as RequestFault {
            throw fault(error.diagnostics?.map { $0.under("draft") } ?? [], or: error)
        }
    }

    func fault(_ faults: [DraftDiagnostic], or other: RequestFault? = nil) -> RequestFault {
        if faults.isEmpty, let other { return other }
        return RequestFault(.invalid, faults.errorCount(of: "the settings"), diagnostics: faults)
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

    func id(_ context: FarmRequestContext) throws -> RecordingID {
        let text = try context.parameters.require("id")
        guard let id = RecordingID(text) else { throw RequestFault(.notFound, "'\(text)' is not the id of a recording") }
        return id
    }
}
