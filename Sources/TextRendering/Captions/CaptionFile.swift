import ExportPlan

/// A caption file that was read and checked as a whole: cues of SubRip or WebVTT, or an unchanged SubStation Alpha
/// script.
package struct CaptionFile: Sendable {
    enum Body: Sendable {
        case cues([Cue])
        case script(String)
    }

    package let format: CaptionFormat
    let body: Body
    /// More captions than any film has; karaoke has a few hundred per minute.
    package static let captionLimit = 100_000

    /// - Parameters:
    ///   - text: the whole file, without byte order mark.
    ///   - subject: the file's name, for messages.
    /// - Throws: `CaptionError` `malformed`, with the line number, or `overLimit`.
    package init(_ text: String, _ format: CaptionFormat, subject: String) throws(CaptionError) {
        self.format = format
        var reading = CaptionParser(text, subject: subject)
        switch format {
        case .srt: body = .cues(try reading.subRip())
        case .webvtt: body = .cues(try reading.webVTT())
        case .ass: body = .script(try reading.checkedScript(text))
        }
    }
}

/// A file that is read line by line. Extensions implement the formats.
struct CaptionParser {
    let lines: [Substring]
    let subject: String
    var cues: [Cue] = []

    init(_ text: String, subject: String) {
        lines = text.lines
        self.subject = subject
    }

    /// - Parameter index: the line's index, from 0.
    func fault(_ index: Int, _ message: String) -> CaptionError {
        CaptionError(.malformed, subject: subject, message: "line \(index + 1): \(message)")
    }

    func checkCount(_ count: Int) throws(CaptionError) {
        guard count <= CaptionFile.captionLimit else {
            throw CaptionError(
                .overLimit, subject: subject, message: "has more than \(CaptionFile.captionLimit) captions, which is the limit")
        }
    }

    /// Adds a cue, unless its text or its time range is empty, because then it is never seen.
    mutating func take(
        _ text: [Substring], _ timing: CueTiming, _ dialect: CueText.Dialect, _ placement: CuePlacement? = nil
    ) throws(CaptionError) {
        let text = CueText(text.joined(separator: "\n"), dialect)
        guard !text.isEmpty, timing.end > timing.start else { return }
        cues.append(
            Cue(start: timing.start, end: timing.end, text: text.markup, alignment: text.alignment, placement: placement))
        try checkCount(cues.count)
    }

    /// The time range that a line begins with.
    /// - Throws: `malformed` where the line does not begin with a time range.
    func timing(_ index: Int) throws(CaptionError) -> CueTiming {
        guard let timing = CueTiming(lines[index]) else {
            throw fault(index, "'\(lines[index].prefix(60))' is not a time range like 00:00:01,500 --> 00:00:04,000")
        }
        guard timing.end >= timing.start else { throw fault(index, "the caption ends before it starts") }
        return timing
    }
}
