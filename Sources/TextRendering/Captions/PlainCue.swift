import CAss
import ExportPlan

/// A caption as plain text, as in a subtitle track of a film.
package struct PlainCue: Hashable, Sendable {
    /// The start in milliseconds of the file's time; `end` has the same unit.
    package var start: Int64
    package var end: Int64
    /// Lines are separated by a line feed.
    package var text: String

    package init(start: Int64, end: Int64, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }

    /// The cues as a track without overlaps. Where several cues are seen at once, their texts are joined line by line,
    /// the earlier one on top.
    static func inTurn(_ cues: [PlainCue]) -> [PlainCue] {
        let seen = cues.filter { $0.end > $0.start && !$0.text.isEmpty }.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        let instants = Set(seen.flatMap { [$0.start, $0.end] }).sorted()
        var result: [PlainCue] = []
        var active: [PlainCue] = []
        var next = 0
        for (start, end) in zip(instants, instants.dropFirst()) {
            active.removeAll { $0.end <= start }
            while next < seen.count, seen[next].start <= start {
                active.append(seen[next])
                next += 1
            }
            let text = active.map(\.text).joined(separator: "\n")
            if text.isEmpty { continue }
            if let last = result.last, last.end == start, last.text == text {
                result[result.count - 1].end = end
            } else {
                result.append(PlainCue(start: start, end: end, text: text))
            }
        }
        return result
    }

    /// A text in libass's syntax without its tags and drawings.
    static func plain(_ markup: String) -> String {
        var result = ""
        var isDrawing = false
        var rest = markup[...]
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                for tag in rest[..<end].dropFirst().split(separator: "\\") where tag.hasPrefix("p") {
                    if let scale = Int(tag.dropFirst()) { isDrawing = scale > 0 }
                }
                rest = rest[end...].dropFirst()
                continue
            }
            rest.removeFirst()
            if isDrawing { continue }
            switch (first, rest.first) {
            case ("\\", "N"), ("\\", "n"):
                result.append("\n")
                rest.removeFirst()
            case ("\\", "h"):
                result.append("\u{A0}")
                rest.removeFirst()
            // `CueText` escapes braces and backslashes like this.
            case ("\\", "{"), ("\\", "}"): result.append(rest.removeFirst())
            case ("\\", "\u{2060}"):
                result.append(first)
                rest.removeFirst()
            default: result.append(first)
            }
        }
        return result
    }
}

extension CaptionFile {
    /// All captions as plain text without overlaps; positions, sizes and colours are lost.
    /// - Parameter subject: the file's name, for messages.
    /// - Throws: `CaptionError` `malformed` for a script that libass cannot read, or `outOfMemory`.
    package func plainCues(subject: String) throws(CaptionError) -> [PlainCue] {
        switch body {
        case .cues(let cues):
            return PlainCue.inTurn(cues.map { PlainCue(start: $0.start, end: $0.end, text: PlainCue.plain($0.text)) })
        case .script(let script):
            guard let library = ass_library_init() else {
                throw CaptionError(.outOfMemory, subject: subject, message: "cannot be read: libass cannot be set up")
            }
            defer { ass_library_done(library) }
            spool_ass_silence(library)
            var bytes = Array(script.utf8).map { CChar(bitPattern: $0) }
            guard let track = ass_read_memory(library, &bytes, bytes.count, nil) else {
                throw CaptionError(
                    .malformed, subject: subject, message: "cannot be read by libass; add the section [V4+ Styles]")
            }
            defer { ass_free_track(track) }
            let cues = (0..<Int(track.pointee.n_events)).map { index in
                let event = track.pointee.events[index]
                let text = event.Text.map { String(cString: $0) } ?? ""
                return PlainCue(start: event.Start, end: event.Start + event.Duration, text: PlainCue.plain(text))
            }
            return PlainCue.inTurn(cues)
        }
    }
}
