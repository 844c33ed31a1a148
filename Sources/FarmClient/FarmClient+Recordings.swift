import AsyncHTTPClient
public import Coordinator
public import DraftModel
import ExportPlan
public import FarmAPI
import NIOCore
import NIOHTTP1
import Vocabulary

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Recordings on the farm.
extension FarmClient {
    /// Begins a recording; files that its settings name are uploaded first.
    /// - Parameters:
    ///   - folder: what relative paths are relative to.
    ///   - uploaded: told every file that the farm did not have.
    public func beginRecording(
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
            .POST, "/v1/recordings", body: try FarmJSON.encode(settings), repeatable: false, as: RecordingBody.self)
    }

    public func recording(_ id: RecordingID) async throws -> RecordingBody {
        try await call(.GET, "/v1/recordings/\(id)", as: RecordingBody.self)
    }

    /// Newest first.
    public func recordings(limit: Int? = nil) async throws -> Listing<RecordingBody> {
        try await call(.GET, "/v1/recordings", query: [("limit", limit.map(String.init))], as: Listing<RecordingBody>.self)
    }

    /// Sends a clip's media.
    /// - Returns: the recording, with the clip on its way.
    public func appendClip(_ file: String, _ clip: ClipSettings, to id: RecordingID) async throws -> RecordingBody {
        let query = [("speed", "\(clip.speed)"), ("volume", "\(clip.volume)"), ("fileType", clip.fileType?.rawValue)]
        var request = request(.POST, "/v1/recordings/\(id)/clips", query: query)
        request.body = .stream(FileChunks(path: file), length: .known(Int64(try await FileReader().size(file))))
        let ready = request
        return try await repeating(false) {
            let response = try await http.execute(ready, deadline: .distantFuture)
            let buffer = try await response.body.collect(upTo: 16 << 20)
            let data = Data(buffer.readableBytesView)
            try check(response, data)
            return try FarmJSON.decode(RecordingBody.self, from: data)
        }
    }

    /// Sets the music, or with nil takes it away.
    public func setMusic(
        _ music: RecordingSettings.BackgroundMusic?, of id: RecordingID, folder: String
    ) async throws -> RecordingBody {
        guard var music else { return try await call(.DELETE, "/v1/recordings/\(id)/music", as: RecordingBody.self) }
        music.url = try await asset(music.url, in: folder) { _, _ in }
        return try await call(
            .PUT, "/v1/recordings/\(id)/music", body: try FarmJSON.encode(music), as: RecordingBody.self)
    }

    public func discardLastClip(of id: RecordingID) async throws -> RecordingBody {
        try await call(.DELETE, "/v1/recordings/\(id)/clips/last", repeatable: false, as: RecordingBody.self)
    }

    public func discardRecording(_ id: RecordingID) async throws -> RecordingBody {
        try await call(.DELETE, "/v1/recordings/\(id)", as: RecordingBody.self)
    }

    public func finishRecording(_ id: RecordingID) async throws -> RecordingBody {
        try await call(.POST, "/v1/recordings/\(id)/finish", as: RecordingBody.self)
    }

    /// A location that the farm knows: of a file here the asset that it becomes.
    private func asset(_ url: String, in folder: String, _ uploaded: (String, Int) -> Void) async throws -> String {
        guard !url.isEmpty, !AssetLocation.isOne(url), !url.contains("://") else { return url }
        let path = url.hasPrefix("/") ? url : "\(folder)/\(url)"
        let (hash, byteCount, wasSent) = try await putAsset(path)
        if wasSent { uploaded(path, byteCount) }
        return AssetLocation.location(of: hash)
    }
}
