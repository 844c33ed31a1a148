import ContentHashing
import Coordinator
import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Recorder
import TestServer
import TestSupport
import Testing
import FoundationEssentials

@Suite("A recording over HTTP")
struct RecordingTests {
    private func begin(_ farm: Farm, _ settings: String = "{}") async throws -> RecordingBody {
        let answer = try await farm.send(.post, "/v1/recordings", body: settings)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.json(RecordingBody.self)
    }

    private func append(_ farm: Farm, _ id: RecordingID, _ query: String = "", _ bytes: [UInt8] = [1, 2, 3]) async throws
        -> RecordingBody
    {
        let answer = try await farm.send(.post, "/v1/recordings/\(id)/clips\(query)", bytes: bytes)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.json(RecordingBody.self)
    }

    private func show(_ farm: Farm, _ id: RecordingID) async throws -> RecordingBody {
        try await farm.send(.get, "/v1/recordings/\(id)").json(RecordingBody.self)
    }

    /// The source of the export that makes the clip being recorded.
    private func source(_ farm: Farm, _ body: RecordingBody) async throws -> ExportSource {
        let id = try #require(body.export)
        return try #require(try await farm.store.source(of: id))
    }

    /// The export that makes the clip being recorded.
    private func export(_ farm: Farm, _ body: RecordingBody) async throws -> Export {
        let id = try #require(body.export)
        return try #require(try await farm.store.export(id, tenant: nil))
    }

    /// Completes the export of the clip being recorded, as workers would, with a film of these bytes.
    private func render(_ farm: Farm, _ body: RecordingBody, _ bytes: [UInt8]) async throws {
        let export = try await export(farm, body)
        try await farm.plan(export)
        try await farm.finish(try await farm.take(export))
        try await farm.finish(try await farm.take(export, kind: .stitch))
        try farm.putFilm(bytes, tenant: export.tenant)
    }

    /// Renders a clip whose stand-in film an earlier clip has as well.
    private func renderAnew(_ farm: Farm, _ body: RecordingBody) async throws {
        try await farm.store.forget([Farm.segmentKey, Farm.filmKey], tenant: try await export(farm, body).tenant)
        try await render(farm, body, [1])
    }

    @Test("A recording continues a draft, whose clips come first and whose length counts")
    func continued() async throws {
        let farm = try await Farm()
        let asset = "asset:\(ContentHash.of([9, 9, 9] as [UInt8]))"
        let draft = #"{"version": 1, "title": "Mine", "mainTrackClips": [{"type": "av", "url": "\#(asset)"}]}"#
        let settings = #"{"draft": \#(draft), "draftDuration": 4, "minDuration": 5}"#
        let missing = try await farm.send(.post, "/v1/recordings", body: settings)
        #expect(
            missing.status == .unprocessableContent && missing.text.contains("draft.mainTrackClips[0].url"), "\(missing.text)")
        _ = try await farm.send(.put, "/v1/assets/\(asset.dropFirst("asset:".count))", bytes: [9, 9, 9])
        let begun = try await begin(farm, settings)
        #expect(begun.status.duration == MediaTime(seconds: 4))
        let cropped = try await farm.send(
            .post, "/v1/recordings",
            body: settings.replacing(#""title": "Mine""#, with: #""timeRange": {"start": 0, "duration": 1}"#))
        #expect(cropped.status == .unprocessableContent && cropped.text.contains("draft.timeRange"), "\(cropped.text)")
        let taken = try await append(farm, begun.id)
        try await render(farm, taken, [7, 7])
        let finished = try await farm.send(.post, "/v1/recordings/\(begun.id)/finish")
        #expect(finished.status == .ok, "\(finished.text)")
        let name = try #require(try finished.json(RecordingBody.self).draft?.name)
        let stored = try await farm.send(.get, "/v1/drafts/\(name)")
        let read = try #require(Draft.read(Data(stored.text.utf8)).draft)
        #expect(read.title == "Mine" && read.mainTrackClips.map(\.url) == [asset, "asset:\(ContentHash.of([7, 7] as [UInt8]))"])
    }

    @Test("A recording turns an upload into a clip, and becomes a draft in the library that names its film")
    func roundTrip() async throws {
        let farm = try await Farm()
        let begun = try await begin(farm, #"{"videoSize": {"width": 320, "height": 180}, "minDuration": 1}"#)
        #expect(begun.status.state == .open && begun.status.clips.isEmpty)
        let taken = try await append(farm, begun.id, "?speed=0.5&volume=0.25")
        #expect(taken.status.state == .recording && taken.status.take?.settings.speed == Rational(1, 2))
        #expect(farm.wakeCount == 1)

        let source = try await source(farm, taken)
        let clip = try #require(Draft.read(Data(source.document.utf8)).draft)
        #expect(clip.mainTrackClips.map(\.url) == ["asset:\(ContentHash.of([1, 2, 3] as [UInt8]))"])
        #expect(clip.mainTrackClips.map(\.speed) == [nil] && source.settings["fileType"] == "mp4")

        let early = try await farm.send(.post, "/v1/recordings/\(begun.id)/finish")
        #expect(early.status == .conflict && early.fault?.detail.contains(": export \(source.id) renders it") == true)
        #expect(try await farm.send(.post, "/v1/recordings/\(begun.id)/clips", bytes: [4]).status == .conflict)

        try await render(farm, taken, [9, 8, 7])
        let listed = try await farm.send(.get, "/v1/recordings").json(Listing<RecordingBody>.self).items
        let recorded = try await show(farm, begun.id)
        #expect(listed == [recorded])
        let film = "asset:\(ContentHash.of([9, 8, 7] as [UInt8]))"
        #expect(recorded.status.state == .open && recorded.export == nil)
        #expect(recorded.status.clips.map(\.url) == [film] && recorded.status.clips.map(\.frameCount) == [30])
        #expect(recorded.status.clips.map(\.input) == ["asset:\(ContentHash.of([1, 2, 3] as [UInt8]))"])
        #expect(recorded.status.duration == MediaTime(seconds: 2))
        #expect(try await farm.send(.head, "/v1/assets/\(film.dropFirst("asset:".count))").status == .ok)

        let finished = try await farm.send(.post, "/v1/recordings/\(begun.id)/finish").json(RecordingBody.self)
        let draft = try #require(finished.draft)
        #expect(finished.status.state == .finished && draft.name == "recording-\(begun.id)" && draft.revision == 1)
        let document = try await farm.send(.get, "/v1/drafts/\(draft.name)").text
        let read = try #require(Draft.read(Data(document.utf8)).draft)
        #expect(read.mainTrackClips.map(\.url) == [film] && read.mainTrackClips.map(\.volume) == [0.25])
        #expect(read.mainTrackClips.map(\.speed) == [.constant(Rational(1, 2))])
        #expect(try await farm.send(.post, "/v1/recordings/\(begun.id)/finish").json(RecordingBody.self) == finished)
        #expect(try await farm.send(.post, "/v1/recordings/\(begun.id)/clips", bytes: [4]).status == .conflict)
        #expect(try await farm.send(.delete, "/v1/recordings/\(begun.id)").status == .conflict)
    }

    @Test("A recording loses only the clip whose export fails, and says why")
    func losing() async throws {
        let farm = try await Farm()
        let id = try await begin(farm).id
        try await render(farm, try await append(farm, id), [1])
        let failing = try await append(farm, id, "", [5])
        let export = try await export(farm, failing)
        let fault = DraftDiagnostic(path: "mainTrackClips[0].url", code: .unreadableSource, message: "'asset:…' is damaged")
        _ = try await farm.store.fail(export.id, ExportFailure(.input, message: "faulty", diagnostics: [fault]))
        #expect(try await show(farm, id).status.lost.map(\.reason) == ["the upload: 'asset:…' is damaged"])
        let cancelled = try await source(farm, try await append(farm, id, "", [6])).id
        _ = try await farm.send(.post, "/v1/exports/\(cancelled)/cancel")
        let status = try await show(farm, id).status
        #expect(status.state == .open && status.clips.map(\.number) == [1] && status.lost.map(\.number) == [2, 3])
        #expect(status.lost.last?.reason == "its export was cancelled")
    }

    @Test("A recording loses a clip whose film is gone, and the farm forgets the film, so that it is rendered again")
    func lostFilm() async throws {
        let farm = try await Farm()
        let id = try await begin(farm).id
        let export = try await export(farm, try await append(farm, id))
        try await farm.plan(export)
        try await farm.finish(try await farm.take(export))
        try await farm.finish(try await farm.take(export, kind: .stitch))
        // The film's segment is gone as well. While the film counts as existing, no export renders the segment.
        try await farm.store.forget([Farm.segmentKey], tenant: export.tenant)
        #expect(try await farm.segmentStateOfNextExport() == .done)
        #expect(try await show(farm, id).status.lost.map(\.reason) == ["its film is no longer in the farm's storage"])
        #expect(try await farm.segmentStateOfNextExport() == .ready)
    }

    @Test("A recording is full at its maximum, refuses clips, and is open again without its last clip")
    func full() async throws {
        let farm = try await Farm()
        let id = try await begin(farm, #"{"maxDuration": 0.75}"#).id
        let taken = try await append(farm, id)
        let source = try await source(farm, taken)
        let range = Draft.read(Data(source.document.utf8)).draft?.mainTrackClips.first?.timeRange
        #expect(range == TimeRange(start: .zero, duration: MediaTime(Rational(3, 4))))
        try await render(farm, taken, [1])
        let full = try await show(farm, id).status
        #expect(full.state == .full && full.remaining == .zero && full.duration == MediaTime(Rational(3, 4)))
        let refused = try await farm.send(.post, "/v1/recordings/\(id)/clips", bytes: [2])
        #expect(refused.status == .conflict && refused.fault?.detail.contains("maximum of 0.75 s") == true)
        let open = try await farm.send(.delete, "/v1/recordings/\(id)/clips/last").json(RecordingBody.self).status
        #expect(open.state == .open && open.clips.isEmpty)
        #expect(try await farm.send(.delete, "/v1/recordings/\(id)/clips/last").status == .conflict)
    }

    @Test("A discarded recording cancels the export of its current clip")
    func discarding() async throws {
        let farm = try await Farm()
        let taken = try await append(farm, try await begin(farm).id)
        let answer = try await farm.send(.delete, "/v1/recordings/\(taken.id)")
        #expect(try answer.json(RecordingBody.self).status.state == .discarded)
        #expect(try await export(farm, taken).state == .cancelled)
        #expect(try await farm.send(.delete, "/v1/recordings/\(taken.id)").status == .ok)
        #expect(try await show(farm, taken.id).status.lost.isEmpty)
    }

    @Test("A recording submits a clip's export again when the coordinator ended before it did")
    func interrupted() async throws {
        let farm = try await Farm()
        let id = try await begin(farm).id
        // The state that a coordinator leaves when it is killed between the two steps.
        var record = try #require(try await farm.store.recording(id, tenant: nil))
        _ = try record.content.recording.begin(ClipSettings())
        let making = RecordingRecord.Making(input: String(repeating: "ab", count: 32), export: ExportID())
        record.content.making = making
        _ = try await farm.store.changeRecording(record)
        #expect(try await show(farm, id).status.state == .recording)
        #expect(try await farm.store.export(making.export, tenant: nil)?.state == .submitted)
        #expect(try await show(farm, id).export == making.export)
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).count == 1)
    }

    @Test("A recording's music can be changed only while it has no clip")
    func music() async throws {
        let farm = try await Farm()
        let song = [UInt8]("song".utf8)
        let hash = ContentHash.of(song)
        let id = try await begin(farm).id
        let body = "{\"url\": \"asset:\(hash)\", \"loop\": true}"
        let missing = try await farm.send(.put, "/v1/recordings/\(id)/music", body: body)
        #expect(missing.fault?.diagnostics?.map { Fault($0.path, $0.code) } == [Fault("backgroundMusic.url", .missingSource)])
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: song)
        let set = try await farm.send(.put, "/v1/recordings/\(id)/music", body: body).json(RecordingBody.self)
        #expect(set.status.settings.backgroundMusic?.url == "asset:\(hash)")
        try await render(farm, try await append(farm, id), [1])
        #expect(try await farm.send(.put, "/v1/recordings/\(id)/music", body: body).status == .conflict)
        #expect(try await farm.send(.delete, "/v1/recordings/\(id)/music").status == .conflict)
        let draft = try #require(
            try await farm.send(.post, "/v1/recordings/\(id)/finish").json(RecordingBody.self).draft)
        let document = try await farm.send(.get, "/v1/drafts/\(draft.name)").text
        #expect(Draft.read(Data(document.utf8)).draft?.audioClips?.map(\.loop) == [true])
    }

    @Test("Any clip can be discarded, or all of them, and the recording goes on with what is left")
    func discardingClips() async throws {
        let farm = try await Farm()
        let id = try await begin(farm, #"{"maxDuration": 2.5}"#).id
        // The stand-in film of every clip has a second.
        for byte in 1...3 as ClosedRange<UInt8> {
            try await renderAnew(farm, try await append(farm, id, "?duration=1", [byte]))
            _ = try await show(farm, id)
        }
        let before = try await show(farm, id).status
        #expect(before.state == .full && before.clips.map(\.number) == [1, 2, 3])
        for missing in ["9", "0", "x", "99999999999999999999"] {
            let answer = try await farm.send(.delete, "/v1/recordings/\(id)/clips/\(missing)")
            #expect(answer.status == .notFound, "\(answer.text)")
        }
        let without = try await farm.send(.delete, "/v1/recordings/\(id)/clips/2").json(RecordingBody.self).status
        #expect(without.state == .open && without.clips.map(\.number) == [1, 3])
        #expect(without.clips.map(\.url) == [before.clips[0].url, before.clips[2].url])
        let refused = try await farm.send(.delete, "/v1/recordings/\(id)/clips/2")
        #expect(refused.status == .notFound && refused.fault?.detail.contains("has no clip 2; it has 1, 3") == true)
        let taken = try await append(farm, id, "", [4])
        for place in ["clips", "clips/1", "clips/last"] {
            #expect(try await farm.send(.delete, "/v1/recordings/\(id)/\(place)").status == .conflict)
        }
        try await renderAnew(farm, taken)
        // A number is not used again.
        #expect(try await show(farm, id).status.clips.map(\.number) == [1, 3, 4])
        for _ in 1...2 {
            let empty = try await farm.send(.delete, "/v1/recordings/\(id)/clips").json(RecordingBody.self).status
            #expect(empty.state == .open && empty.clips.isEmpty && empty.duration == .zero)
        }
        #expect(try await farm.send(.post, "/v1/recordings/\(id)/finish").status == .conflict)
    }

    @Test("A clip's duration limits the part of the upload that is rendered")
    func duration() async throws {
        let farm = try await Farm()
        let id = try await begin(farm, #"{"maxDuration": 2}"#).id
        let refused = try await farm.send(.post, "/v1/recordings/\(id)/clips?duration=0", bytes: [1])
        #expect(refused.fault?.diagnostics?.map(\.path) == ["duration"], "\(refused.text)")
        let taken = try await append(farm, id, "?duration=0.5&speed=2")
        let document = try await source(farm, taken).document
        let range = Draft.read(Data(document.utf8)).draft?.mainTrackClips.first?.timeRange
        #expect(range == TimeRange(start: .zero, duration: MediaTime(Rational(1, 2))))
        #expect(taken.status.take?.settings.duration == MediaTime(Rational(1, 2)))
    }

    @Test("Settings change between clips, and are checked like those of a new recording")
    func settings() async throws {
        let farm = try await Farm()
        let id = try await begin(farm, #"{"mirror": true, "maxDuration": 9}"#).id
        func change(_ body: String) async throws -> Answer {
            try await farm.send(.patch, "/v1/recordings/\(id)/settings", body: body)
        }
        let changed = try await change(#"{"mirror": null, "rotation": 90, "maxDuration": 4}"#).json(RecordingBody.self).status
        #expect(changed.settings.mirror == nil && changed.settings.rotation == 90 && changed.remaining == MediaTime(seconds: 4))
        let document = try await source(farm, try await append(farm, id)).document
        #expect(Draft.read(Data(document.utf8)).draft?.mainTrackClips.first?.preferredTransform?.rotation == 90)
        #expect(try await change(#"{"mirror": true}"#).status == .conflict)
        try await render(farm, try await show(farm, id), [1])
        #expect(try await show(farm, id).status.clips.count == 1)

        let faults = [
            (#"{"rotation": 5}"#, "rotation"), (#"{"mirored": true}"#, "mirored"), (#"{"maxDuration": 0}"#, "maxDuration"),
            (#"{"stickers": [{"url": "asset:none"}]}"#, "stickers[0]"), (#"{"filters": [{"type": "blurr"}]}"#, "filters[0]"),
            (
                #"{"preset": "passthrough", "rotation": null, "videoSize": {"width": 1280, "height": 720}}"#, "frameRate"
            ),
        ]
        for (body, path) in faults {
            let answer = try await change(body)
            let paths = answer.fault?.diagnostics?.map(\.path) ?? []
            #expect(answer.status == .unprocessableContent && paths.contains { $0.hasPrefix(path) }, "\(body): \(answer.text)")
        }
        for body in ["", "[]", "{", "7"] {
            #expect([.badRequest, .unprocessableContent].contains(try await change(body).status), "\(body)")
        }
        let fixed = try await change(#"{"videoSize": {"width": 640, "height": 360}}"#)
        #expect(fixed.status == .conflict && fixed.fault?.detail.contains("its videoSize can be changed when") == true)
        // Nothing of what was refused has come in.
        #expect(try await show(farm, id).status.settings == changed.settings)
        _ = try await farm.send(.delete, "/v1/recordings/\(id)/clips")
        #expect(try await change(#"{"videoSize": {"width": 640, "height": 360}}"#).status == .ok)
    }

    @Test("A recording reports what is wrong with its settings and clips, with the place")
    func faults() async throws {
        let farm = try await Farm()
        let settings = #"{"rotation": 5, "filters": [{"type": "blurr"}], "watermark": {"url": "mark.png", "destRect": {}}}"#
        let refused = try await farm.send(.post, "/v1/recordings", body: settings)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.fault?.diagnostics?.map(\.path).contains("rotation") == true)
        let filters = try await farm.send(.post, "/v1/recordings", body: #"{"filters": [{"type": "blurr"}]}"#)
        #expect(filters.fault?.diagnostics?.map(\.path) == ["filters[0].type"])
        let id = try await begin(farm, #"{"videoCodec": "h264"}"#).id
        for (query, path) in [("speed=0", "speed"), ("volume=x", "volume"), ("fileType=webm", "videoCodec")] {
            let answer = try await farm.send(.post, "/v1/recordings/\(id)/clips?\(query)", bytes: [1])
            #expect(answer.fault?.diagnostics?.map(\.path) == [path], "\(answer.text)")
        }
        #expect(try await farm.send(.post, "/v1/recordings/\(id)/clips?sped=1", bytes: [1]).status == .badRequest)
        #expect(try await farm.send(.post, "/v1/recordings/\(id)/clips", bytes: []).status == .badRequest)
        #expect(try await show(farm, id).status.state == .open)
        #expect(try await farm.send(.post, "/v1/recordings/\(id)/finish").status == .conflict)
    }

    @Test("A recording is visible only to its tenant, and needs the usual scopes")
    func access() async throws {
        let farm = try await Farm()
        let id = try await begin(farm).id
        let calls: [(HTTPRequest.Method, String)] = [
            (.get, ""), (.post, "/clips"), (.delete, "/clips/last"), (.delete, "/clips"), (.delete, "/clips/1"),
            (.patch, "/settings"), (.post, "/finish"), (.delete, ""), (.put, "/music"),
        ]
        for (method, place) in calls {
            let path = "/v1/recordings/\(id)\(place)"
            #expect(try await farm.send(method, path, as: nil, body: "{}").status == .unauthorized)
            let body = place == "/music" ? #"{"url": "asset:x"}"# : "{}"
            #expect(try await farm.send(method, path, as: "other", body: body).status == .notFound, "\(method) \(place)")
            let lacking = method == .get ? "submit" : "read"
            #expect(try await farm.send(method, path, as: lacking, body: "{}").status == .forbidden)
        }
        #expect(try await farm.send(.get, "/v1/recordings", as: "other").json(Listing<RecordingBody>.self).items.isEmpty)
        #expect(try await farm.send(.get, "/v1/recordings").json(Listing<RecordingBody>.self).items.map(\.id) == [id])
        #expect(try await farm.send(.get, "/v1/recordings", as: "admin").json(Listing<RecordingBody>.self).items.count == 1)
        #expect(try await farm.send(.get, "/v1/recordings/none").status == .notFound)
    }
}
