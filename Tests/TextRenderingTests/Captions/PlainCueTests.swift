import ExportPlan
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

    @Test("A script without styles, which libass does not read, is refused with what it lacks")
    func unreadable() throws {
        let script = "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x\n"
        let plain = try #require(throws: CaptionError.self) { try cues(script, .ass) }
        #expect(plain.code == .malformed && plain.subject == "words")
        #expect(plain.message == "cannot be read by libass; add the section [V4+ Styles]")
        let drawn = try #require(throws: CaptionError.self) { try Captioned.painter(script, .ass, nil) }
        #expect(drawn.code == .malformed && drawn.subject == "words")
        #expect(drawn.message == "cannot be read by libass; add the section [V4+ Styles]")
    }

    @Test("A script whose dialogues have no text by its own format is refused with the line to correct")
    func noEvents() throws {
        let script = """
            [Script Info]
            ScriptType: v4.00+
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x

            """
        let error = try #require(throws: CaptionError.self) { try Captioned.painter(script, .ass, nil) }
        #expect(error.code == .malformed && error.subject == "words")
        #expect(
            error.message == "has no event that libass can read; correct the line Format of its section [Events]")
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
