import HTTPClient
package import DraftModel
import ExportPlan
package import FarmAPI
import Vocabulary
import FoundationEssentials

/// Recordings on the farm.
extension FarmClient {
    /// Begins a recording. Files that its settings name are uploaded first.
    /// - Parameters:
    ///   - folder: the folder that relative paths start from.
    ///   - uploaded: called for every file that the farm did not have.
    package func beginRecording(
        _ settings: RecordingSettings, folder: String, uploaded: (_ path: String, _ byteCount: Int) -> Void = { _, _ in }
    ) async throws -> RecordingBody {
        var settings = settings
        if let url = settings.watermark?.url { settings.watermark?.url = try await asset(url, in: folder, uploaded) }
        if let music = settings.backgroundMusic {
            settings.backgroundMusic?.url = try await asset(music.url, in: folder, uploaded)
        }
        for index in (settings.filters ?? []).indices {
            guard let url = settings.filters?[index].url else { continue }
            settings.filters?[index].url = try await asset(url, in: folder, uploaded)
        }
        return try await call(
            "POST", "/v1/recordings", body: try FarmJSON.encode(settings), repeatable: false, as: RecordingBody.self)
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
        let query = [("speed", "\(clip.speed)"), ("volume", "\(clip.volume)"), ("fileType", clip.fileType?.rawValue)]
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
