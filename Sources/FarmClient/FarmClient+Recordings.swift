import HTTPClient
package import DraftModel
import ExportPlan
package import FarmAPI
import Recorder
import Vocabulary
package import FoundationEssentials

/// Recordings on the farm.
extension FarmClient {
    /// Begins a recording. Files that its settings name are uploaded first.
    /// - Parameters:
    ///   - folder: the folder that relative paths start from.
    ///   - uploaded: called for every file that the farm did not have.
    package func beginRecording(
        _ settings: RecordingSettings, folder: String, uploaded: (_ path: String, _ byteCount: Int) -> Void = { _, _ in }
    ) async throws -> RecordingBody {
        let known = try await uploading(settings, in: folder, uploaded)
        return try await call(
            "POST", "/v1/recordings", body: try FarmJSON.encode(known), repeatable: false, as: RecordingBody.self)
    }

    /// Changes the settings of a recording. Files that the changes name are uploaded first.
    /// - Parameters:
    ///   - patch: a JSON document with the fields that change; nil if there is none.
    ///   - values: fields that change, as text; `null` removes one.
    ///   - folder: the folder that relative paths start from.
    /// - Throws: `DraftError` with what is wrong with the changes; `ClientFailure`.
    package func changeRecording(
        _ id: RecordingID, by patch: Data?, _ values: [String: String], folder: String
    ) async throws -> RecordingBody {
        let known = try await recording(id).status.settings
        let (changed, faults) = known.changed(by: patch, overrides: values)
        guard let changed, faults.errors.isEmpty else { throw DraftError(faults) }
        let (before, after) = (try fields(of: known), try fields(of: try await uploading(changed, in: folder) { _, _ in }))
        // Only what changes is sent, so that a change of other fields that comes first stays.
        var changes = after.filter { before[$0.key] != $0.value }
        for name in before.keys where after[name] == nil { changes[name] = .null }
        return try await call(
            "PATCH", "/v1/recordings/\(id)/settings", body: try FarmJSON.encode(changes), as: RecordingBody.self)
    }

    private func fields(of settings: RecordingSettings) throws -> [String: FreeJSON] {
        try FarmJSON.decode([String: FreeJSON].self, from: FarmJSON.encode(settings))
    }

    /// The draft with files of this machine uploaded.
    private func uploading(_ draft: Draft, in folder: String) async throws -> Draft {
        let packed = try await DraftPacking(self).template(
            of: try JSONEncoder().encode(draft), folder: folder, addsFonts: false)
        let (read, faults) = Draft.read(packed)
        guard let read, faults.errors.isEmpty else { throw DraftError(faults) }
        return read
    }

    /// The settings with files of this machine uploaded, as the farm knows them.
    private func uploading(
        _ settings: RecordingSettings, in folder: String, _ uploaded: (String, Int) -> Void
    ) async throws -> RecordingSettings {
        var settings = settings
        if let draft = settings.draft { settings.draft = try await uploading(draft, in: folder) }
        if let url = settings.watermark?.url { settings.watermark?.url = try await asset(url, in: folder, uploaded) }
        if let music = settings.backgroundMusic {
            settings.backgroundMusic?.url = try await asset(music.url, in: folder, uploaded)
        }
        for index in (settings.stickers ?? []).indices {
            guard let url = settings.stickers?[index].url else { continue }
            settings.stickers?[index].url = try await asset(url, in: folder, uploaded)
        }
        for index in (settings.filters ?? []).indices {
            guard let url = settings.filters?[index].url else { continue }
            settings.filters?[index].url = try await asset(url, in: folder, uploaded)
        }
        return settings
    }

    package func recording(_ id: RecordingID) async throws -> RecordingBody {
        try await call("GET", "/v1/recordings/\(id)", as: RecordingBody.self)
    }

    /// The recordings, newest first.
    package func recordings(limit: Int? = nil) async throws -> Listing<RecordingBody> {
        try await call("GET", "/v1/recordings", query: [("limit", limit.map(String.init))], as: Listing<RecordingBody>.self)
    }

    /// Uploads a clip's media.
    /// - Returns: the recording, whose clip is being made.
    package func appendClip(_ file: String, _ clip: ClipSettings, to id: RecordingID) async throws -> RecordingBody {
        let query = [
            ("speed", "\(clip.speed)"), ("volume", "\(clip.volume)"), ("fileType", clip.fileType?.rawValue),
            ("duration", clip.duration.map { "\($0)" }),
        ]
        var request = request("POST", "/v1/recordings/\(id)/clips", query: query)
        request.body = .file(path: file, byteCount: try await FileReader().size(file))
        let ready = request
        return try await repeating(false) {
            let response = try await http.execute(ready)
            let data = Data(try await response.body.collect(upTo: 16 << 20))
            try check(response, data)
            return try FarmJSON.decode(RecordingBody.self, from: data)
        }
    }

    /// Sets the music; nil removes it.
    package func setMusic(
        _ music: RecordingSettings.BackgroundMusic?, of id: RecordingID, folder: String
    ) async throws -> RecordingBody {
        guard var music else { return try await call("DELETE", "/v1/recordings/\(id)/music", as: RecordingBody.self) }
        music.url = try await asset(music.url, in: folder) { _, _ in }
        return try await call(
            "PUT", "/v1/recordings/\(id)/music", body: try FarmJSON.encode(music), as: RecordingBody.self)
    }

    package func discardLastClip(of id: RecordingID) async throws -> RecordingBody {
        try await call("DELETE", "/v1/recordings/\(id)/clips/last", repeatable: false, as: RecordingBody.self)
    }

    package func discardClip(_ number: Int, of id: RecordingID) async throws -> RecordingBody {
        try await call("DELETE", "/v1/recordings/\(id)/clips/\(number)", repeatable: false, as: RecordingBody.self)
    }

    package func discardAllClips(of id: RecordingID) async throws -> RecordingBody {
        try await call("DELETE", "/v1/recordings/\(id)/clips", as: RecordingBody.self)
    }

    package func discardRecording(_ id: RecordingID) async throws -> RecordingBody {
        try await call("DELETE", "/v1/recordings/\(id)", as: RecordingBody.self)
    }

    package func finishRecording(_ id: RecordingID) async throws -> RecordingBody {
        try await call("POST", "/v1/recordings/\(id)/finish", as: RecordingBody.self)
    }

    /// The location under which the farm knows a source. A file of this machine is uploaded and becomes an asset.
    private func asset(_ url: String, in folder: String, _ uploaded: (String, Int) -> Void) async throws -> String {
        guard !url.isEmpty, !AssetLocation.matches(url), !RemoteLocation.matches(url) && !url.contains("://") else { return url }
        let path = url.hasPrefix("/") ? url : "\(folder)/\(url)"
        let (hash, byteCount, wasSent) = try await putAsset(path)
        if wasSent { uploaded(path, byteCount) }
        return AssetLocation.location(of: hash)
    }
}
