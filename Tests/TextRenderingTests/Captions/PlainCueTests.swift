import TextRendering
import Testing

/// Captions as plain text, for subtitle tracks.
@Suite struct PlainCueTests {
    private func cues(_ text: String, _ format: CaptionFormat) throws -> [PlainCue] {
        try CaptionFile(text, format, subject: "words").plainCues(subject: "words")
    }

    @Test("Plain text omits tags, drawings and positions, and keeps braces and backslashes")
    func tags() throws {
        let subRip = "1\n00:00:01,000 --> 00:00:02,500\n<b>bold</b> and <i>slanted</i>\nsecond {line} a\\Nb &amp; c\n"
        let found = try cues(subRip, .srt)
        #expect(found == [PlainCue(start: 1000, end: 2500, text: "bold and slanted\nsecond {line} a\\Nb & c")])
        let script = #"{\an8\b1}one\Ntwo\hthree{\p1}m 0 0 l 9 9{\p0} four"#
        let events = try cues(Scripts.written(in: "DejaVu Sans", script), .ass)
        #expect(events.map(\.text) == ["one\ntwo\u{A0}three four"])
    }

    @Test("Simultaneous captions are joined line by line while they overlap")
    func overlaps() throws {
        let webVTT =
            "WEBVTT\n\n00:00.000 --> 00:04.000\nlong\n\n00:01.000 --> 00:02.000\nshort\n\n00:04.000 --> 00:05.000\nlong\n"
        let found = try cues(webVTT, .webvtt)
        let wanted = [
            PlainCue(start: 0, end: 1000, text: "long"), PlainCue(start: 1000, end: 2000, text: "long\nshort"),
            PlainCue(start: 2000, end: 5000, text: "long"),
        ]
        #expect(found == wanted)
    }
}
