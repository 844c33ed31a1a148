import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing

/// A stored form of a numbered clip: one of the containers, codecs and structures that clients send.
struct NumberedSource: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fileName: String
    /// The output options on ffmpeg's command line; empty for the clip as Spool itself writes it.
    let options: [String]
    /// The input options on ffmpeg's command line.
    var inputOptions: [String] = []
    var frameRate = FrameRate(30)
    /// Whether the container stores no presentation times, so that frames follow each other at the frame rate.
    var storesNoTimes = false

    static let size = FrameSize(width: 160, height: 96)
    static let frameCount = 72

    init(
        _ description: String, _ fileName: String, _ options: [String], inputOptions: [String] = [], rate: Rational? = nil,
        storesNoTimes: Bool = false
    ) {
        testDescription = description
        self.fileName = fileName
        self.options = options
        self.inputOptions = inputOptions
        self.storesNoTimes = storesNoTimes
        if let rate = rate.flatMap(FrameRate.init) { frameRate = rate }
    }

    static let all = [
        NumberedSource("MP4 as Spool writes it", "own.mp4", []),
        NumberedSource(
            "WebM with VP8 and hidden reference frames", "vp8.webm",
            ["-c:v", "libvpx", "-b:v", "400k", "-g", "24", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "5"]),
        NumberedSource(
            "WebM with VP9 and superframes", "vp9.webm",
            ["-c:v", "libvpx-vp9", "-b:v", "400k", "-g", "24", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "8"]),
        NumberedSource("MPEG-TS with H.264", "h264.ts", x264(["-g", "24", "-bf", "3"])),
        NumberedSource(
            "MPEG-TS with MPEG-2 and open GOPs", "mpeg2.ts", ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "12"]),
        NumberedSource("AVI with MPEG-4", "mpeg4.avi", ["-c:v", "mpeg4", "-q:v", "3", "-g", "24"]),
        NumberedSource(
            "AVI with MPEG-4 and B-frames", "bframes.avi", ["-c:v", "mpeg4", "-q:v", "3", "-g", "24", "-bf", "2"],
            storesNoTimes: true),
        NumberedSource("MKV with H.264", "h264.mkv", x264(["-g", "24", "-bf", "3"])),
        NumberedSource(
            "MKV with H.264 at 30000/1001 frames per second", "ntsc.mkv", x264(["-g", "24"]),
            inputOptions: ["-r", "30000/1001"], rate: Rational(30000, 1001)),
        NumberedSource("FLV with H.264", "h264.flv", x264(["-g", "24", "-bf", "2"])),
        NumberedSource(
            "MOV whose last open GOP has two frames", "short.mov",
            x264(["-frames:v", "62", "-x264-params", "open-gop=1:bframes=3:keyint=12:min-keyint=12:scenecut=0"])),
        NumberedSource("MOV with open GOPs", "open.mov", x264(["-x264-params", "open-gop=1:bframes=3:keyint=12:min-keyint=12"])),
        NumberedSource(
            "MP4 with HEVC and open GOPs", "open.mp4",
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "open-gop=1:bframes=3:keyint=12:min-keyint=12:log-level=none",
            ]),
        NumberedSource("fragmented MP4", "fragmented.mp4", x264(["-g", "24", "-movflags", "frag_keyframe+empty_moov"])),
        NumberedSource("MP4 with long GOPs", "long.mp4", x264(["-g", "300", "-bf", "3"])),
        NumberedSource("MP4 of variable frame rate", "variable.mp4", x264(["-vf", dropping, "-fps_mode", "vfr", "-g", "24"])),
        NumberedSource(
            "WebM of variable frame rate", "variable.webm",
            ["-vf", dropping, "-fps_mode", "vfr", "-c:v", "libvpx", "-b:v", "400k"]),
        NumberedSource("MP4 whose edit list trims the start", "edited.mp4", ["-c", "copy"], inputOptions: ["-ss", "0.45"]),
    ]

    /// A filter that drops two of every seven frames, and a whole second in one place.
    private static let dropping = "select='mod(n,7)*mod(n+3,7)*not(between(n,30,50))'"

    private static func x264(_ options: [String]) -> [String] {
        ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16"] + options
    }

    /// Creates the file.
    func write(in directory: TemporaryDirectory) async throws -> SourceReference {
        let clip = SampleClip(
            picture: NumberedPicture(blue: 120, red: 140), tone: nil, size: NumberedSource.size, frameRate: FrameRate(30),
            frameCount: NumberedSource.frameCount, keyframeInterval: 48)
        var path = directory.file("clip.mp4")
        try clip.write(to: path)
        if !options.isEmpty {
            let input = path
            path = directory.file(fileName)
            try await FFmpegTool.ffmpeg(inputOptions + ["-i", input] + options + [path])
        }
        return SourceReference(facts: try Probe.facts(ofFile: path), path: path)
    }

    /// The frames of the source as the command line tools see them.
    func witness(_ source: SourceReference) async throws -> NumberedFrames {
        try await NumberedFrames(
            ofFile: source.path, size: NumberedSource.size, countingAt: storesNoTimes ? frameRate : nil)
    }

    /// The tolerance: one tick of the stream's clock, at most a quarter of a frame.
    func tolerance(_ timeBase: Rational) -> MediaTime {
        min(MediaTime(timeBase), frameRate.frameDuration * Rational(1, 4))
    }
}
