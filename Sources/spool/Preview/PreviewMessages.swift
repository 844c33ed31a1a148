import FoundationEssentials

/// An event that the server of the preview is told, as a line of JSON.
enum PreviewEvent: Sendable, Encodable {
    /// The state has changed.
    case state(revision: Int)
    /// A media file is there.
    case ready(file: String)
    /// A media file will not come.
    case failed(file: String, message: String)
    /// The files that are being rendered.
    case progress(busy: [String])

    private enum CodingKeys: String, CodingKey { case event, revision, file, message, busy }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .state(let revision):
            try container.encode("state", forKey: .event)
            try container.encode(revision, forKey: .revision)
        case .ready(let file):
            try container.encode("ready", forKey: .event)
            try container.encode(file, forKey: .file)
        case .failed(let file, let message):
            try container.encode("failed", forKey: .event)
            try container.encode(file, forKey: .file)
            try container.encode(message, forKey: .message)
        case .progress(let busy):
            try container.encode("progress", forKey: .event)
            try container.encode(busy, forKey: .busy)
        }
    }
}

/// A line of the server: what a page waits for, where it plays, or at which port the server listens.
struct PreviewMessage: Sendable, Decodable {
    var listening: Int?
    /// The name of a media file.
    var want: String?
    /// In seconds of film.
    var playhead: Double?
    var playing: Bool?
}
