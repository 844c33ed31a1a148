import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Compares the source facts of real files with ffprobe.
@Suite(.enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence))) struct SharedMediaProbeTests {
    static let videos = [
        "bbb_1080p24_h264_aac51_30s.mp4", "car_768x432_12.5fps_h264_aac_30s.mp4", "flir_vfr_1080x1440_aac_mono_11s.mp4",
        "phone_rot90_720p30_aac_1s.mp4", "hlg_hevc10_1080p_9frames.mp4", "hdr10_pq_av1_portrait_720x1280_4s.mp4",
        "bbb_720p24_vp8_vorbis_30s.webm", "bbb_642x642_vp9_noaudio_3s.webm", "roadtrip_vp9_10bit_2398fps_3s.webm",
        "bbb_1080p24_mpeg2_mp2_2s.ts", "arena_1080p50_h264_pcm_2s.mov", "digicam_mjpeg422_15fps_pcm22k_mono_3s.avi",
        "cockatoo_720p20_yuv444_mp3_14s.mp4", "colourbars_prores422hq_1080i_2frames.mov", "black_1080p30_h264_aac_363s.mp4",
        "pal_interlaced_mpeg2_bff_14s.ts",
    ]

    @Test("A real video's size, layout, rate, duration, rotation and sample aspect are ffprobe's", arguments: videos)
    func video(_ name: String) async throws {
        let path = SharedMedia.file("av/\(name)")
        let report = try await FFprobeReport.of(path)
        let stream = try #require(report.video)
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.codec == stream.codecName)
        #expect(video.size == FrameSize(width: stream.width ?? 0, height: stream.height ?? 0))
        #expect(video.pixelFormat == stream.pixFmt)
        #expect(video.orientation.quarterTurns * 90 == (360 - Int(stream.rotation)) % 360)
        let aspect = stream.sampleAspectRatio?.split(separator: ":").joined(separator: "/") ?? "1/1"
        #expect(video.sampleAspectRatio == Rational(text: aspect))
        if name.contains("vfr") {
            #expect(video.isVariableFrameRate)
        } else {
            let rates = [stream.rFrameRate, stream.avgFrameRate].compactMap { $0.flatMap { Rational(text: $0) } }
            let rate = video.frameRate.framesPerSecond
            #expect(rates.contains { (($0 - rate) / rate).magnitude < Rational(1, 1000) }, "\(rate), not \(rates)")
        }
        if let declared = stream.nbFrames.flatMap({ Int($0) }) { #expect(video.frameCount == declared) }
        let whole = report.format.duration.flatMap { Rational(text: $0) }.map { MediaTime($0) }
        let duration = try #require(stream.exactDuration ?? whole)
        // Containers round durations. If only the duration of the whole file is known, sound may be longer than the
        // picture. For a transport stream ffprobe knows only the decoding times, which are ahead by a frame or two.
        let slack = max(video.frameRate.frameDuration, MediaTime(Rational(1, name.hasSuffix(".ts") ? 10 : 20)))
        #expect((video.duration - duration).seconds.magnitude <= slack.seconds, "\(video.duration), not \(duration)")
    }

    @Test(
        "A real video has as many frames as ffprobe decodes",
        arguments: [
            "bbb_642x642_vp9_noaudio_3s.webm", "roadtrip_vp9_10bit_2398fps_3s.webm", "bbb_1080p24_mpeg2_mp2_2s.ts",
            "bbb_720p24_vp8_vorbis_30s.webm", "digicam_mjpeg422_15fps_pcm22k_mono_3s.avi",
        ])
    func frameCount(_ name: String) async throws {
        let path = SharedMedia.file("av/\(name)")
        let report = try await FFprobeReport.of(path, ["-count_frames", "-select_streams", "v:0"])
        let video = try #require(try Probe.facts(ofFile: path).video)
        #expect(video.frameCount == report.video?.nbReadFrames.flatMap { Int($0) })
    }

    @Test(
        "A real sound has ffprobe's rate and channels, and ends with the last sample that ffmpeg decodes",
        arguments: [
            "av/bbb_1080p24_h264_aac51_30s.mp4", "av/flir_vfr_1080x1440_aac_mono_11s.mp4", "av/bbb_720p24_vp8_vorbis_30s.webm",
            "av/arena_1080p50_h264_pcm_2s.mov", "av/digicam_mjpeg422_15fps_pcm22k_mono_3s.avi", "audio/voice_58s_44k1_stereo.mp3",
            "audio/drumloop_4s_44k1_stereo.wav", "audio/bear_48k.flac", "audio/bbb_5.1_opus_8k_source.ogg",
            "audio/music_effect_a.m4a",
        ])
    func sound(_ name: String) async throws {
        let report = try await FFprobeReport.of(SharedMedia.file(name))
        let stream = try #require(report.audio)
        let facts = try Probe.facts(ofFile: SharedMedia.file(name))
        let audio = try #require(facts.audio)
        #expect(audio.codec == stream.codecName)
        #expect(audio.sampleRate == stream.sampleRate.flatMap { Int($0) })
        #expect(audio.channels == stream.channels)
        let decoded = try await Waveform.decode(SharedMedia.file(name), sampleRate: audio.sampleRate, channels: 1)
        let start = MediaTime(ticks: stream.startPts ?? 0, timeBase: audio.timeBase)
        let end = start - facts.origin + MediaTime(index: decoded.count, rate: audio.sampleRate)
        #expect((audio.duration - end).seconds.magnitude <= Rational(1, 20), "\(audio.duration), not \(end)")
    }

    @Test(
        "A picture file is a still with its size, orientation and transparency",
        arguments: [
            ("exif_landscape_1.jpg", FrameSize(width: 1800, height: 1200), false),
            ("exif_landscape_6.jpg", FrameSize(width: 1800, height: 1200), false),
            ("alpha.png", FrameSize(width: 162, height: 150), true),
            ("alpha_lossy.webp", FrameSize(width: 400, height: 301), true),
        ])
    func picture(_ name: String, _ size: FrameSize, _ hasAlpha: Bool) throws {
        let video = try #require(try Probe.facts(ofFile: SharedMedia.file("image/\(name)")).video)
        #expect(video.isStill)
        #expect(video.displaySize == size)
        #expect(video.hasAlpha == hasAlpha)
    }

    @Test("An animated GIF and an APNG are animated pictures", arguments: ["anim_iss.gif", "anim_iss.apng"])
    func animation(_ name: String) async throws {
        let video = try #require(try Probe.facts(ofFile: SharedMedia.file("image/\(name)")).video)
        let report = try await FFprobeReport.of(SharedMedia.file("image/\(name)"), ["-count_frames"])
        #expect(!video.isStill)
        #expect(video.frameCount == report.video?.nbReadFrames.flatMap { Int($0) })
        #expect(video.duration > MediaTime(seconds: 2))
    }
}
