import HTTPTypes
import Hummingbird
import NIOCore
import FoundationEssentials

/// Sends what the engine writes besides media files: the state, the waveform and the playlists of the stream.
struct FileRoutes: Sendable {
    let directory: PreviewDirectory
    let token: PreviewToken

    func add(to router: Router<PreviewRequestContext>) {
        router.get("/state", use: state)
        router.get("/waveform", use: waveform)
        router.get("/ready", use: ready)
        router.get("/stream/:file", use: playlist)
    }

    @Sendable private func state(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        guard let bytes = directory.bytes(of: "state.json") else {
            throw PreviewFault(.notReady, "the draft has not been read yet; ask again in a second")
        }
        return .bytes(bytes, type: "application/json")
    }

    @Sendable private func waveform(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        guard let bytes = directory.bytes(of: "waveform.json") else {
            throw PreviewFault(.notFound, "there is no waveform yet; an event 'state' says when there may be one")
        }
        return .bytes(bytes, type: "application/json")
    }

    /// The names of all media files that are there.
    @Sendable private func ready(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        let names = directory.mediaNames.map { "\"\($0.text)\"" }.joined(separator: ",")
        return .text("{\"files\":[\(names)]}", type: "application/json")
    }

    /// A playlist in HLS, for other players. One that sent the token in the address, and keeps no cookies, gets it within
    /// the addresses of the playlist.
    @Sendable private func playlist(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        let name = try context.fileName()
        guard name.text.hasSuffix(".m3u8"), let bytes = directory.bytes(of: "stream/\(name.text)") else {
            throw PreviewFault(.notFound, "there is no such playlist; players open /stream/main.m3u8, which names the others")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if request.queryToken != nil { text = FileRoutes.playlist(text, with: token) }
        return .text(text, type: "application/vnd.apple.mpegurl")
    }

    /// A playlist (RFC 8216) whose addresses have the token: lines that are no tags, and the attribute `URI` of tags.
    static func playlist(_ text: String, with token: PreviewToken) -> String {
        let query = "?token=\(token.text)"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.hasPrefix("#") else { return line.isEmpty ? "" : "\(line)\(query)" }
            guard let start = line.firstRange(of: "URI=\""), let end = line[start.upperBound...].firstIndex(of: "\"") else {
                return String(line)
            }
            return "\(line[..<end])\(query)\(line[end...])"
        }
        return lines.joined(separator: "\n")
    }
}
