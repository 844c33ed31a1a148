import ExactTime
import ExportPlan
import Media
import Testing

/// The descriptions of raw media.
@Suite struct RawFormatTests {
    @Test("A line describes raw pictures or raw sound")
    func described() {
        #expect(
            RawFormat(pictures: "640x480@30000/1001:yuv420p")
                == .pictures(
                    size: FrameSize(width: 640, height: 480), rate: FrameRate(Rational(30_000, 1001)) ?? FrameRate(30),
                    pixelFormat: "yuv420p"))
        #expect(RawFormat(sound: "48000:2:s16le") == .sound(sampleRate: 48_000, channels: 2, encoding: "s16le"))
        #expect(RawFormat(sound: "8000:1:f32le") == .sound(sampleRate: 8000, channels: 1, encoding: "f32le"))
    }

    @Test(
        "A malformed description of raw pictures is refused",
        arguments: [
            "", "640x480", "640x480@30", "640x480:rgb24", "640x480@0:rgb24", "640x480@500:rgb24", "0x480@30:rgb24",
            "640@30:rgb24",
            "640x480x2@30:rgb24", "640x480@30:rgb25", "640x480@30:vaapi", "640x480@x:rgb24", "640x480@30:rgb24:more",
        ])
    func wrongPictures(_ text: String) {
        #expect(RawFormat(pictures: text) == nil)
    }

    @Test(
        "A malformed description of raw sound is refused",
        arguments: ["", "48000", "48000:2", "48000:2:u8", "100:2:s16le", "48000:0:s16le", "48000:9:s16le", "x:2:s16le"])
    func wrongSound(_ text: String) {
        #expect(RawFormat(sound: text) == nil)
    }
}
