import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Compares captions with ffmpeg's filter `ass`, which draws through the same library. The comparison covers how Spool
/// reads files and styles, the times of frames, and how bitmaps are composited.
///
/// ffmpeg draws each bitmap directly onto the picture in 8 bits and truncates; Spool composites the bitmaps first.
/// Therefore a pixel under a half-covered outline and a half-covered fill may differ by three.
@Suite struct CaptionFFmpegTests {
    private static let tolerance = 3.0
    /// The same style in a script's syntax; libass takes a font size for the height of a line, which in DejaVu Sans is
    /// 2384/2048 of an em.
    private static let style =
        "DejaVu Sans,\(28 * 2384.0 / 2048),&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,2,0,2,20,20,18,0"

    @Test("SubRip with tags, colours and overlaps matches ffmpeg in every frame")
    func subRip() async throws {
        let text = """
            1
            00:00:00,200 --> 00:00:01,200
            Plain, <b>bold</b>, <i>italic</i>, <u>underlined</u>

            2
            00:00:00,600 --> 00:00:01,900
            <font color="#ff8000">orange</font> and back
            on two lines

            3
            00:00:01,300 --> 00:00:01,700
            {\\an8}at the top

            """
        let witness = try await Captioned.throughFFmpeg(text, style: CaptionFFmpegTests.style, frames: 50)
        let painter = try Captioned.painter(text, .srt)
        let drawn = try Captioned.pictures(painter, at: (0..<50).map { $0 * 40 })
        #expect(drawn[2] == nil && drawn[10] != nil && drawn[49] == nil)
        for frame in stride(from: 0, to: 50, by: 1) {
            let (largest, _) = Captioned.compare("SubRip, frame \(frame)", Captioned.onGray(drawn[frame]), witness[frame])
            #expect(largest <= CaptionFFmpegTests.tolerance, "frame \(frame)")
        }
    }

    @Test("A SubStation Alpha script with styles, karaoke, moves, blurs and rotations matches ffmpeg")
    func script() async throws {
        let witness = try await Captioned.throughFFmpeg(Scripts.rich, frames: 60)
        let drawn = try Captioned.pictures(try Captioned.painter(Scripts.rich, .ass, nil), at: (0..<60).map { $0 * 40 })
        for frame in 0..<60 {
            let (largest, _) = Captioned.compare("ASS, frame \(frame)", Captioned.onGray(drawn[frame]), witness[frame])
            #expect(largest <= CaptionFFmpegTests.tolerance, "frame \(frame)")
        }
    }

    @Test("A WebVTT cue without settings stands where a SubRip cue does, with WebVTT tags and entities")
    func webVTT() async throws {
        let subRip = "1\n00:00:00,000 --> 00:00:02,000\n<b>Ada</b> & Bob <3 {x} \\Now\n"
        let webVTT = "WEBVTT\n\n00:00.000 --> 00:02.000\n<b.loud>Ada</b> &amp; <v Bob>Bob &lt;3</v> {x} \\N<00:00:01.000>ow\n"
        let pictures = try [(subRip, CaptionFormat.srt), (webVTT, .webvtt)].map { text, format in
            try Captioned.pictures(try Captioned.painter(text, format), at: [500])[0]
        }
        #expect(pictures[0] != nil && pictures[0] == pictures[1])
    }
}

/// Scripts that several tests use.
enum Scripts {
    private static let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,30,&H00FFFFFF,&H000000FF,&H00202020,&H80000000,0,0,0,0,100,100,0,0,1,2,1,2,10,10,10,1
        Style: Song,DejaVu Serif,34,&H0000C8FF,&H00FFFFFF,&H00402000,&H80000000,-1,0,0,0,100,100,0,0,1,2,2,8,20,20,24,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    static let rich =
        header + #"""
            Dialogue: 0,0:00:00.00,0:00:01.50,Song,,0,0,0,,{\fad(200,200)}{\kf40}ka{\kf40}ra{\kf40}oke
            Dialogue: 0,0:00:00.20,0:00:02.00,Default,,0,0,0,,{\blur2\bord4}blurred\Non two lines
            Dialogue: 0,0:00:00.50,0:00:02.30,Default,,0,0,0,,above the other
            Dialogue: 1,0:00:00.40,0:00:02.20,Default,,0,0,0,,{\move(100,100,500,250)\t(\frz45)\fnDejaVu Serif}moves
            Dialogue: 1,0:00:00.40,0:00:02.20,Default,,0,0,0,,{\pos(320,180)\p1\1a&H80&}m 0 0 l 60 0 60 60 0 60

            """#

    /// The second event stands above the first while both are seen, and stays there; one event grows.
    static let crowded =
        header + #"""
            Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,first
            Dialogue: 0,0:00:00.50,0:00:02.00,Default,,0,0,0,,{\t(\fs60)}second
            Dialogue: 0,0:00:01.50,0:00:03.00,Default,,0,0,0,,third
            Dialogue: 0,0:00:02.50,0:00:04.00,Default,,0,0,0,,fourth

            """#

    static func written(in font: String, _ text: String) -> String {
        header + "Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,{\\fn\(font)}\(text)\n"
    }
}
