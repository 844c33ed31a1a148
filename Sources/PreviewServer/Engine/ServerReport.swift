import FoundationEssentials

/// A message of the server to the engine (`spool preview`): one line of JSON.
package enum ServerReport: Hashable, Sendable {
    /// The server accepts connections on this port.
    case listening(port: Int)
    /// A request waits for a media file that is not there.
    case want(PreviewFileName)
    /// The place where a page is now.
    case playhead(Playhead)

    /// The message without a line break. Names need no escapes, and times are finite.
    package var line: String {
        switch self {
        case .listening(let port): "{\"listening\":\(port)}"
        case .want(let file): "{\"want\":\"\(file.text)\"}"
        case .playhead(let playhead): "{\"playhead\":\(playhead.time),\"playing\":\(playhead.isPlaying)}"
        }
    }
}

/// The place where a page is in the film, as the page sends it.
package struct Playhead: Hashable, Sendable {
    /// Seconds, at least 0 and finite.
    package let time: Double
    package let isPlaying: Bool

    private struct Body: Decodable {
        var time: Double
        var playing: Bool
    }

    /// - Returns: nil where the body of the request is no place.
    init?(json: some Sequence<UInt8>) {
        // The route says what it takes.
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(json)), (0...1e6).contains(body.time) else { return nil }
        time = body.time
        isPlaying = body.playing
    }
}
