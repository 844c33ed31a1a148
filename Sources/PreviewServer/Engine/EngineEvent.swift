import FoundationEssentials

/// A message of the engine (`spool preview`) to the server: one line of JSON.
///
///     {"event": "state", "revision": 3}
///     {"event": "ready", "file": "KEY-120.m4s"}
///     {"event": "failed", "file": "KEY-120.m4s", "message": "..."}
///     {"event": "progress", "busy": ["KEY-120.m4s"]}
package enum EngineEvent: Hashable, Sendable {
    /// `state.json` was replaced.
    case state(revision: Int)
    /// A media file is there.
    case ready(PreviewFileName)
    /// A media file will not come.
    case failed(PreviewFileName, message: String)
    /// All media files that are being rendered.
    case progress(busy: [PreviewFileName])

    private struct Line: Decodable {
        var event: String
        var revision: Int?
        var file: String?
        var message: String?
        var busy: [String]?
    }

    /// - Returns: nil for a line that is no such message.
    package init?(line text: String) {
        // The caller says which line it could not read.
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { return nil }
        let file = line.file.flatMap(PreviewFileName.init)
        switch (line.event, file) {
        case ("state", _):
            guard let revision = line.revision else { return nil }
            self = .state(revision: revision)
        case ("ready", let file?): self = .ready(file)
        case ("failed", let file?): self = .failed(file, message: line.message ?? "the file cannot be rendered")
        case ("progress", _): self = .progress(busy: (line.busy ?? []).compactMap(PreviewFileName.init))
        default: return nil
        }
    }
}
