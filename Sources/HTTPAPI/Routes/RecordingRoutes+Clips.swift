import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import Recorder
import Vocabulary

/// Appends clips to recordings, and discards them.
extension RecordingRoutes {
    func add(toClips router: inout DescribedRouter) {
        let types = FormatCatalogue.containers.filter(\.isForClips).map(\.type.rawValue)
        router.add(
            RouteDescription(
                .post, "/v1/recordings/:id/clips", "appendClip",
                "Appends a clip. Its media become an asset, and an export records the clip. 409 while another clip is being "
                    + "recorded, and when the recording is full or over.",
                scopes: [.submit], parameters: [.recording],
                query: [
                    QueryParameter("speed", "0.1...16", default: "1", "how fast the draft plays the clip", .number(0.1...16)),
                    QueryParameter("volume", "0...8", default: "1", "how loud the draft plays the clip", .number(0...8)),
                    QueryParameter(
                        "fileType", types.map { "`\($0)`" }.joined(separator: ", "), default: "the recording's",
                        "the clip's container",
                        .choice(types)),
                    QueryParameter(
                        "duration", "seconds above 0", default: "all, up to the maximum", "how much of the media is recorded",
                        .number(0.01...100_000)),
                ],
                body: .media("the clip's media"),
                answers: [
                    .json(RecordingBody.self, "the recording, with its address in `Location`", status: 201, headers: [.location])
                ],
                faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid]), use: append)
        router.add(
            RouteDescription(
                .delete, "/v1/recordings/:id/clips/last", "discardLastClip", "Discards the last clip.", scopes: [.submit],
                parameters: [.recording],
                answers: [.json(RecordingBody.self, "the recording")], faults: [.notFound, .conflict]), use: discardLast)
        router.add(
            RouteDescription(
                .delete, "/v1/recordings/:id/clips/:number", "discardClip",
                "Discards any clip; the clips after it move up.", scopes: [.submit], parameters: [.recording, .clip],
                answers: [.json(RecordingBody.self, "the recording")], faults: [.notFound, .conflict]), use: discardClip)
        router.add(
            RouteDescription(
                .delete, "/v1/recordings/:id/clips", "discardAllClips",
                "Discards all clips; the recording goes on empty, with its settings.", scopes: [.submit],
                parameters: [.recording], answers: [.json(RecordingBody.self, "the recording")],
                faults: [.notFound, .conflict]), use: discardAll)
    }

    /// Appends a clip. The body holds its media, which become an asset, and the clip an export. An upload that breaks
    /// off leaves nothing.
    @Sendable private func append(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try id(context)
        let (clip, clipFaults) = ClipSettings.read(try request.query("speed", "volume", "fileType", "duration").values)
        var trial = try await recordings.find(id, caller)
        let take = try trial.content.recording.begin(clip)
        let (_, faults) = ExportSettings.read(trial.content.recording.encoding(of: clip).values)
        guard clipFaults.errors.isEmpty, faults.errors.isEmpty else { throw fault(clipFaults + faults) }
        let upload = try await AssetRoutes(service).receive(
            request, as: nil, name: "recording-\(id)-\(take.number)-input", tenant: trial.tenant)
        guard upload.byteCount > 0 else { throw RequestFault(.badRequest, "the body is the clip's media; it is empty") }
        let record = try await recordings.begin(clip, input: upload.hash, id, caller)
        return try .json(
            RecordingBody(record), status: .created, headers: [.location: "/v1/recordings/\(id)"])
    }

    @Sendable private func discardLast(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let record = try await recordings.change(try id(context), caller) { content in
            content.forgetMedia(of: try content.recording.discardLast().number)
        }
        return try .json(RecordingBody(record))
    }

    @Sendable private func discardClip(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let id = try id(context)
        let text = try context.parameters.require("number")
        guard let number = Int(text) else { throw RequestFault(.notFound, "'\(text)' is not the number of a clip") }
        let record = try await recordings.change(id, caller) { content in
            try content.recording.discard(number)
            content.forgetMedia(of: number)
        }
        return try .json(RecordingBody(record))
    }

    @Sendable private func discardAll(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let record = try await recordings.change(try id(context), caller) { content in
            try content.recording.discardAll()
            content.films = [:]
            content.inputs = nil
        }
        return try .json(RecordingBody(record))
    }
}

extension RecordingRecord.Content {
    /// Forgets what came in for a discarded clip, and its film.
    fileprivate mutating func forgetMedia(of number: Int) {
        films[number] = nil
        inputs?[number] = nil
    }
}
