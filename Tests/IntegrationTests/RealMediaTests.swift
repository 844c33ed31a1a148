import ExactTime
import ExportPlan
import Testing
import TestSupport
import FoundationEssentials

/// Every file of the shared media directory is exported as a clip that looks like ffmpeg's decoding of it, or is
/// refused with a message that says what is wrong.
@Suite(.enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence))) struct RealMediaTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var file: String
        /// The expected size, upright and even.
        var size: FrameSize
        var frames: Int
        /// The second of the source where the export of two seconds (or less, when the source is shorter) begins.
        var start = 0
        /// The largest allowed mean difference between 32x32 luma of the film and of ffmpeg's picture; more where tone
        /// mapping changes the brightness.
        var tolerance = 6.0
        /// A file with the same pictures, when ffmpeg cannot decode this one.
        var twin: String?
        var testDescription: String { file }
    }

    static let clips = [
        Case(file: "av/bbb_1080p24_h264_aac51_30s.mp4", size: FrameSize(width: 1920, height: 1080), frames: 48, start: 6),
        Case(file: "av/car_768x432_12.5fps_h264_aac_30s.mp4", size: FrameSize(width: 768, height: 432), frames: 25, start: 10),
        Case(file: "av/flir_vfr_1080x1440_aac_mono_11s.mp4", size: FrameSize(width: 1080, height: 1440), frames: 18),
        Case(file: "av/phone_rot90_720p30_aac_1s.mp4", size: FrameSize(width: 720, height: 1280), frames: 39),
        Case(file: "av/hlg_hevc10_1080p_9frames.mp4", size: FrameSize(width: 1920, height: 1080), frames: 9, tolerance: 60),
        Case(
            file: "av/hdr10_pq_av1_portrait_720x1280_4s.mp4", size: FrameSize(width: 720, height: 1280), frames: 60, tolerance: 60
        ),
        Case(file: "av/bbb_720p24_vp8_vorbis_30s.webm", size: FrameSize(width: 1280, height: 720), frames: 48, start: 12),
        Case(file: "av/bbb_642x642_vp9_noaudio_3s.webm", size: FrameSize(width: 642, height: 642), frames: 60),
        Case(file: "av/roadtrip_vp9_10bit_2398fps_3s.webm", size: FrameSize(width: 426, height: 240), frames: 48, tolerance: 15),
        Case(file: "av/bbb_1080p24_mpeg2_mp2_2s.ts", size: FrameSize(width: 1920, height: 1080), frames: 48),
        Case(file: "av/arena_1080p50_h264_pcm_2s.mov", size: FrameSize(width: 1920, height: 1080), frames: 100),
        Case(file: "av/digicam_mjpeg422_15fps_pcm22k_mono_3s.avi", size: FrameSize(width: 320, height: 240), frames: 30),
        Case(file: "av/cockatoo_720p20_yuv444_mp3_14s.mp4", size: FrameSize(width: 1280, height: 720), frames: 40, start: 5),
        Case(file: "av/colourbars_prores422hq_1080i_2frames.mov", size: FrameSize(width: 1920, height: 1080), frames: 2),
        Case(file: "av/black_1080p30_h264_aac_363s.mp4", size: FrameSize(width: 1920, height: 1080), frames: 60, start: 20),
        Case(file: "av/pal_interlaced_mpeg2_bff_14s.ts", size: FrameSize(width: 384, height: 288), frames: 50, tolerance: 12),
        Case(file: "image/anim_iss.gif", size: FrameSize(width: 246, height: 246), frames: 29, tolerance: 6),
        Case(file: "image/anim_iss.apng", size: FrameSize(width: 246, height: 246), frames: 29, tolerance: 6),
        Case(
            file: "image/anim_iss.webp", size: FrameSize(width: 246, height: 246), frames: 29, tolerance: 12,
            twin: "image/anim_iss.gif"),
        Case(file: "image/iphone_photo.heic", size: FrameSize(width: 4032, height: 3024), frames: 6, tolerance: 10),
        Case(file: "broken/mdat_too_long.mp4", size: FrameSize(width: 1080, height: 720), frames: 30),
        Case(file: "image/exif_landscape_1.jpg", size: FrameSize(width: 1800, height: 1200), frames: 6),
        Case(file: "image/exif_landscape_6.jpg", size: FrameSize(width: 1800, height: 1200), frames: 6),
        Case(file: "image/alpha.png", size: FrameSize(width: 162, height: 150), frames: 6, tolerance: 255),
        Case(file: "image/alpha_lossy.webp", size: FrameSize(width: 400, height: 302), frames: 6, tolerance: 255),
    ]

    @Test("A file is exported upright, with its size and number of frames, and looks like its source", arguments: clips)
    func exported(_ test: Case) async throws {
        let directory = try TemporaryDirectory()
        let source = SharedMedia.file(test.file)
        let isStill = test.file.hasPrefix("image/") && !test.file.contains("anim")
        let clip =
            isStill
            ? #"{"type": "image", "url": "\#(source)", "duration": "1/5"}"#
            : #"{"type": "av", "url": "\#(source)", "timeRange": {"start": \#(test.start), "duration": 2}}"#
        let film = try await SpoolTool.export(
            #"{"version": 1, "title": "t", "mainTrackClips": [\#(clip)]}"#, in: directory)
        let report = try await FFprobeReport.of(film, ["-count_frames"])
        #expect(report.video?.nbReadFrames == "\(test.frames)")
        #expect(report.video?.width == test.size.width && report.video?.height == test.size.height)
        #expect(report.video?.colorSpace == "bt709" && report.video?.colorRange == "tv")
        #expect(report.format.tags?["location"] == nil)
        let shown = try await thumbnail(film, 0, in: directory)
        #expect(Set(shown).count > 1 || test.file.contains("black"), "a picture of one flat colour")
        var witness = test.twin.map(SharedMedia.file) ?? source
        if source.hasSuffix(".heic") {
            witness = directory.file("witness.png")
            let outcome = try await ShellTool.run("heif-convert '\(source)' '\(witness)'")
            #expect(outcome.status == 0)
        }
        let wanted = try await thumbnail(witness, test.start, in: directory)
        let difference = zip(shown, wanted).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(shown.count)
        #expect(difference <= test.tolerance, "mean difference \(difference)")
    }

    static let sounds = [
        ("audio/voice_58s_44k1_stereo.mp3", 2), ("audio/drumloop_4s_44k1_stereo.wav", 2), ("audio/bear_48k.flac", 2),
        ("audio/bbb_5.1_opus_8k_source.ogg", 2), ("audio/music_effect_a.m4a", 2),
    ]

    @Test("Sound alone is exported with its full length and is not silent", arguments: sounds)
    func sound(_ file: String, _ seconds: Int) async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            """
            {"version": 1, "videoSize": {"width": 64, "height": 64}, "mainTrackClips": [
              {"type": "av", "url": "\(SharedMedia.file(file))", "timeRange": {"start": 0, "duration": \(seconds)}}]}
            """, in: directory)
        let report = try await FFprobeReport.of(film)
        #expect(report.audio?.durationTs == Int64(seconds * 44_100))
        let level = try await ShellTool.run("ffmpeg -nostdin -i '\(film)' -af volumedetect -vn -f null - 2>&1 | grep max_volume")
        let decibels = try #require(level.output.split(separator: " ").dropLast().last.flatMap { Double($0) })
        #expect(decibels > -40)
    }

    static let refused = [
        ("broken/truncated_moov_first_35s_1080p.mp4", "cut short"), ("broken/zero_frame_video.ts", "cannot be decoded"),
        ("broken/truncated.jpg", "damaged"), ("broken/png_truncated.png", "damaged"),
        ("lut/resolve_17.cube", "is a lookup table; a video is expected"),
        ("font/NotoSans-Regular.ttf", "is a font file; a video is expected"),
    ]

    @Test("A file that cannot be shown is refused with its name and the reason", arguments: refused)
    func refusal(_ file: String, _ reason: String) async throws {
        let directory = try TemporaryDirectory()
        await #expect {
            _ = try await SpoolTool.export(
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(SharedMedia.file(file))"}]}"#, in: directory)
        } throws: { error in
            "\(error)".contains(reason) && "\(error)".contains(file) && "\(error)".contains("mainTrackClips[0].url")
        }
    }

    /// The upright frame at a second as 32x32 luma of BT.709 limited range, decoded by ffmpeg. It decodes from the
    /// start, because ffmpeg's own seek gives green pictures for one of the files.
    private func thumbnail(_ path: String, _ second: Int, in directory: TemporaryDirectory) async throws -> [UInt8] {
        let small = directory.file("thumbnail.gray")
        try await FFmpegTool.ffmpeg([
            "-i", path, "-ss", "\(second)", "-frames:v", "1", "-vf",
            "scale=32:32:flags=area:out_color_matrix=bt709:out_range=tv,format=yuv420p,extractplanes=y", "-f", "rawvideo", small,
        ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: small)))
    }
}
