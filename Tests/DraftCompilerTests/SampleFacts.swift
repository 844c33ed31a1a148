import ExactTime
import ExportPlan

/// Invented source facts, as a probe would find them. The sources need not exist.
extension SourceFacts {
    /// A film with sound, with a keyframe every 2 s by default.
    /// - Parameters:
    ///   - seconds: the duration of picture and sound.
    ///   - keyframeInterval: the seconds between keyframes.
    static func film(
        _ name: String, seconds: Rational = Rational(10), rate: FrameRate = FrameRate(30),
        size: FrameSize = FrameSize(width: 1920, height: 1080), quarterTurns: Int = 0, sampleAspectRatio: Rational = .one,
        keyframeInterval: Rational = Rational(2), hasSound: Bool = true
    ) -> SourceFacts {
        let count = (seconds / keyframeInterval).ceil
        let keyframes = (0..<max(1, count)).map { MediaTime(Rational($0) * keyframeInterval) }
        return SourceFacts(
            contentHash: hash(name), byteCount: 1000, container: "mov,mp4,m4a,3gp,3g2,mj2", origin: .zero,
            video: VideoFacts(
                streamIndex: 0, codec: "h264", size: size,
                orientation: Orientation(quarterTurns: quarterTurns, mirrored: false), sampleAspectRatio: sampleAspectRatio,
                pixelFormat: "yuv420p", hasAlpha: false, color: .bt709, timeBase: Rational(1, 90_000), frameRate: rate,
                isVariableFrameRate: false, frameCount: rate.firstFrame(atOrAfter: MediaTime(seconds)),
                duration: MediaTime(seconds), keyframes: keyframes, isStill: false),
            audio: hasSound ? .stereo(seconds: seconds) : nil)
    }

    /// An image file.
    static func picture(
        _ name: String, size: FrameSize = FrameSize(width: 800, height: 600), hasAlpha: Bool = false
    ) -> SourceFacts {
        var facts = film(name, seconds: Rational(1, 25), size: size, hasSound: false)
        facts.container = "png_pipe"
        facts.video?.codec = "png"
        facts.video?.hasAlpha = hasAlpha
        facts.video?.isStill = true
        facts.video?.frameCount = 1
        return facts
    }

    /// A sound file.
    static func sound(_ name: String, seconds: Rational = Rational(10)) -> SourceFacts {
        SourceFacts(
            contentHash: hash(name), byteCount: 1000, container: "mp3", origin: .zero, video: nil,
            audio: .stereo(seconds: seconds))
    }

    /// An invented hash of the right length that differs for different names.
    static func hash(_ name: String) -> String {
        let digits = name.utf8.map { String($0, radix: 16) }.joined()
        return String((digits + String(repeating: "0", count: 64)).prefix(64))
    }
}

extension AudioFacts {
    fileprivate static func stereo(seconds: Rational) -> AudioFacts {
        AudioFacts(
            streamIndex: 1, codec: "mp3", sampleRate: 48_000, channels: 2, channelLayout: "stereo",
            timeBase: Rational(1, 48_000), duration: MediaTime(seconds))
    }
}
