import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// The frame rate of videos in which a frame is missing. Matroska and WebM count milliseconds, in which frames of 29.97
/// and of 30 fps have the same duration. Only all times together, or the declared rate, tell the rate.
@Suite struct MissingFrameTests {
    static let rates = [
        Rational(30_000, 1001), Rational(30), Rational(24_000, 1001), Rational(24), Rational(60_000, 1001), Rational(60),
        Rational(25),
    ]

    @Test(
        "A video with one missing frame has the rate of its other frames, declared or not", arguments: rates,
        ["mkv", "webm"])
    func rate(_ rate: Rational, _ type: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.\(type)")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=96x64:r=\(rate.numerator)/\(rate.denominator)", "-frames:v", "119", "-vf",
            "select='not(eq(n,50))'", "-fps_mode", "passthrough", "-c:v", type == "mkv" ? "libx264" : "libvpx", "-b:v", "100k",
            path,
        ])
        let declaring = try #require(try Probe.facts(ofFile: path).video)
        #expect(declaring.frameRate.framesPerSecond == rate && declaring.isVariableFrameRate && declaring.frameCount == 119)
        try forgetDefaultDuration(path)
        let silent = try #require(try Probe.facts(ofFile: path).video)
        #expect(silent.frameRate.framesPerSecond == rate && silent.isVariableFrameRate && silent.frameCount == 119)
        #expect(silent.duration == declaring.duration)
    }

    @Test("The declared rate decides if the few times of a video fit several rates")
    func short() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.mkv")
        for rate in [Rational(30_000, 1001), Rational(30)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=96x64:r=\(rate.numerator)/\(rate.denominator)", "-frames:v", "9", "-vf",
                "select='not(eq(n,5))'", "-fps_mode", "passthrough", "-c:v", "libx264", path,
            ])
            #expect(try Probe.facts(ofFile: path).video?.frameRate.framesPerSecond == rate)
        }
    }

    /// Changes the element `DefaultDuration` (RFC 9559, section 5.1.4.1.13) into `Void`, which readers ignore.
    private func forgetDefaultDuration(_ path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let identifier: [UInt8] = [0x23, 0xE3, 0x83]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: identifier) })
        let length = Int(bytes[place + 3] & 0x7F)
        bytes[place] = 0xEC
        bytes[place + 1] = UInt8(0x80 | (2 + length))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
