import TextRendering
import ExportPlan
import TestSupport
import Testing

/// Tests that caption files are read completely, or refused with the line of the error.
@Suite struct CaptionFileTests {
    @Test(
        "The beginning of a text identifies its format",
        arguments: [
            ("\n1\n00:00:01,000 --> 00:00:02,000\nx", CaptionFormat.srt), ("0:01.5 --> 0:02\nx", .srt),
            ("WEBVTT", .webvtt), ("WEBVTT - title\n\n", .webvtt), ("; made by hand\r\n[Script Info]\r\n", .ass),
            ("[V4+ Styles]\n", .ass), ("WEBVTTX", nil), ("a --> b", nil), ("{\"version\": 1}", nil), ("", nil),
        ])
    func formats(text: String, format: CaptionFormat?) {
        #expect(CaptionFormat(ofHead: text) == format)
    }

    @Test(
        "A format error names the line",
        arguments: [
            ("1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\n00:00:0x,000 --> 00:00:04,000\ny", CaptionFormat.srt, "line 6"),
            ("1\n00:00:03,000 --> 00:00:02,000\nx", .srt, "line 2: the caption ends before it starts"),
            ("hello\n1\n00:00:01,000 --> 00:00:02,000\nx", .srt, "line 1"),
            ("1\n00:61:01,000 --> 02:00:02,000\nx", .srt, "line 2"),
            ("WEBVTT\n\nname\nno arrow\n", .webvtt, "line 4"),
            ("WEBVTT\n\n00:01.000 -->\nx\n", .webvtt, "line 3"),
            (
                "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x\nDialogue: 0,soon,0:00:02.00,D,,0,0,0,,x", .ass,
                "line 3"
            ),
            ("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,x", .ass, "line 2"),
            ("[Script Info]\n", .ass, "without a dialogue"),
            ("[Fonts]\nfontname: a.ttf\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x", .ass, "line 2"),
        ])
    func faults(text: String, format: CaptionFormat, message: String) {
        let error = #expect(throws: CaptionError.self) { try CaptionFile(text, format, subject: "a") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.failureClass == .input)
    }

    @Test(
        "The message about a malformed file names the line, what is there, and what was expected",
        arguments: [
            (
                "1\n00:61:01,000 --> 02:00:02,000\nx", CaptionFormat.srt,
                "line 2: '00:61:01,000 --> 02:00:02,000' is not a time range like 00:00:01,500 --> 00:00:04,000"
            ),
            ("Hello\n", .srt, "line 1: expected a number or a time range, not 'Hello'"),
            ("1\n", .srt, ": the file ends without a caption"),
            ("WEBVTT\n\na\nb\n", .webvtt, "line 4: expected a time range below 'a'"),
            (
                "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,x\n", .ass,
                "line 2: a dialogue has ten fields, but this one has 4"
            ),
            (
                "[Events]\nDialogue: 0,soon,0:00:02.00,Default,,0,0,0,,x\n", .ass,
                "line 2: 'soon' is not a time like 0:00:01.50"
            ),
            (
                "[Fonts]\nfontname: a.ttf\n", .ass,
                "line 2: fonts inside the file are not supported; install them, and remove the section [Fonts]"
            ),
        ])
    func messages(text: String, format: CaptionFormat, message: String) {
        let error = #expect(throws: CaptionError.self) { try CaptionFile(text, format, subject: "a") }
        #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    }

    @Test("A WebVTT file may have no cue, but a SubRip file may not")
    func empty() throws {
        _ = try CaptionFile("WEBVTT\n", .webvtt, subject: "a")
        #expect(throws: CaptionError.self) { try CaptionFile("1\n", .srt, subject: "a") }
    }

    @Test("Reading arbitrary bytes ends with captions or with an error that names the file", arguments: 1...40)
    func noise(_ seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        let chunks = [
            "\n", "\r\n", "\n\n", "1", "00:00:01,000 --> 00:00:02,000", "-->", "<b>", "</b>", "<font color=", "&#x41;", "&#0;",
            "&amp", "{\\an8}", "{", "}", "\\", "WEBVTT", "NOTE", "line:10%,end", "line:-1", "size:50%", "Dialogue: 0,",
            "[Events]",
            "0:00:01.00", ",", "\u{202E}", "𝄞", "<00:00:01.000>", "<v ",
        ]
        let text = (0..<200).map { _ in chunks.randomElement(using: &random) ?? "" }.joined()
        for (format, head) in [
            (CaptionFormat.srt, "1\n00:00:01,000 --> 00:00:02,000\n"), (.webvtt, "WEBVTT\n\n"), (.ass, "[Events]\n"),
        ] {
            do throws(CaptionError) {
                _ = try CaptionFile(head + text, format, subject: "noise")
            } catch {
                #expect(error.subject == "noise" && !error.message.isEmpty)
            }
        }
    }
}
