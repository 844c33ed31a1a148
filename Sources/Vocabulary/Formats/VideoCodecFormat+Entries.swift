/// The video codecs.
extension VideoCodecFormat {
    static let h264 = VideoCodecFormat(
        codec: .h264, name: "H.264", encoder: "libx264", isRequired: true, usualType: .mp4, segmentType: .mp4,
        options: [EncoderOption("preset", .speedName)],
        quality: QualityScale(option: "crf", worst: 51, highest: 18, high: 20, medium: 23, low: 28),
        bitrate: BitrateRule(measuringFactor: 23, centibitsPerPixel: 8, factorStep: 6), profiles: VideoProfile.allCases,
        hasColorTags: true, hasKeyframes: true, standsBesideCopies: true)

    static let hevc = VideoCodecFormat(
        codec: .hevc, name: "HEVC", encoder: "libx265", usualType: .mp4, segmentType: .mp4, tenBitPixels: .yuv420p10,
        options: [EncoderOption("preset", .speedName)],
        quality: QualityScale(option: "crf", worst: 51, highest: 20, high: 22, medium: 26, low: 31),
        bitrate: BitrateRule(measuringFactor: 26, centibitsPerPixel: 5, factorStep: 6), hasColorTags: true, hasKeyframes: true,
        standsBesideCopies: true)

    static let vp9 = VideoCodecFormat(
        codec: .vp9, name: "VP9", encoder: "libvpx-vp9", usualType: .webm, segmentType: .mp4, tenBitPixels: .yuv420p10,
        // Alpha is a second stream in block additions (WebM container guidelines), which MP4 does not have. libvpx hides
        // alternate reference frames in packets of their own, whose alpha would have no picture.
        transparency: Transparency(
            pixels: .yuva420, segmentType: .mkv, options: [EncoderOption("auto-alt-ref", .fixed("0"))]),
        options: [
            EncoderOption("deadline", .fixed("good")),
            EncoderOption(
                "cpu-used",
                .speed(
                    ["medium": "2", "slow": "1", "slower": "0", "veryslow": "0", "placebo": "0", "fast": "3", "faster": "4"],
                    otherwise: "5")),
            EncoderOption("row-mt", .fixed("0")), EncoderOption("tile-columns", .fixed("0")),
            EncoderOption("frame-parallel", .fixed("0")), EncoderOption("auto-alt-ref", .fixed("1")),
            EncoderOption("lag-in-frames", .fixed("25")),
        ],
        quality: QualityScale(
            option: "crf", worst: 63, highest: 24, high: 28, medium: 33, low: 42,
            // Without a bitrate of 0, libvpx limits the quality by its default bitrate.
            furtherOptions: [EncoderOption("b", .fixed("0"))]),
        bitrate: BitrateRule(measuringFactor: 33, centibitsPerPixel: 5, factorStep: 9), hasColorTags: true, hasKeyframes: true,
        standsBesideCopies: true)

    static let av1 = VideoCodecFormat(
        codec: .av1, name: "AV1", encoder: "libsvtav1", usualType: .mp4, segmentType: .mp4, tenBitPixels: .yuv420p10,
        options: [
            EncoderOption(
                "preset",
                .speed(
                    [
                        "ultrafast": "12", "superfast": "11", "veryfast": "10", "faster": "9", "fast": "8", "medium": "7",
                        "slow": "5", "slower": "4", "veryslow": "3", "placebo": "2",
                    ], otherwise: "7")),
            EncoderOption("svtav1-params", .fixed("lp=1:irefresh-type=2:scd=0")),
        ],
        quality: QualityScale(
            option: "crf", notation: .wholeFactor, worst: 63, highest: 24, high: 28, medium: 33, low: 42),
        bitrate: BitrateRule(measuringFactor: 33, centibitsPerPixel: 5, factorStep: 9, highest: 100_000_000), hasColorTags: true,
        hasKeyframes: true)

    static let prores = VideoCodecFormat(
        codec: .prores, name: "ProRes", encoder: "prores_ks", usualType: .mov, segmentType: .mov, pixels: .yuv422p10,
        tenBitPixels: .yuv422p10,
        transparency: Transparency(
            pixels: .yuva444p10, segmentType: .mov, options: [EncoderOption("profile", .fixed("4444"))]),
        options: [EncoderOption("profile", .fixed("standard")), EncoderOption("vendor", .fixed("apl0"))],
        hasColorTags: true, tagsEachPicture: true)

    static let gif = VideoCodecFormat(
        codec: .gif, name: "GIF", encoder: "gif", usualType: .gif, segmentType: .gif, pixels: .palette)

    static let webp = VideoCodecFormat(
        codec: .webp, name: "WebP", encoder: "libwebp_anim", usualType: .webp, segmentType: .webp, pixels: .bgra,
        // An animation's first picture covers only what is not transparent, so that one segment would show through the
        // next. Pictures that are encoded by themselves cover the whole canvas.
        transparency: Transparency(pixels: .bgra, segmentType: .webpStills),
        options: [
            EncoderOption(
                "compression_level",
                .speed(
                    [
                        "ultrafast": "0", "superfast": "1", "veryfast": "2", "faster": "3", "slow": "5", "slower": "6",
                        "veryslow": "6",
                    ], otherwise: "4"))
        ],
        quality: QualityScale(
            option: "quality", notation: .percentage, worst: 63, highest: 16, high: 20, medium: 28, low: 36),
        countsFrames: true)

    static let png = VideoCodecFormat(
        codec: .png, name: "PNG", encoder: "png", usualType: .png, segmentType: .png, pixels: .rgb24,
        transparency: Transparency(pixels: .rgba, segmentType: .png),
        options: [
            // The other predictors make larger files of footage and take longer, and zlib's usual level takes more than
            // twice as long for files that are 6 % smaller.
            EncoderOption("pred", .fixed("up")), EncoderOption("compression_level", .fixed("1")),
        ])

    static let mjpeg = VideoCodecFormat(
        codec: .mjpeg, name: "JPEG", encoder: "mjpeg", usualType: .jpeg, segmentType: .jpeg, pixels: .yuvj420,
        quality: QualityScale(option: "global_quality", notation: .lambda, worst: 31, highest: 2, high: 3, medium: 5, low: 8))

    static let tiff = VideoCodecFormat(
        codec: .tiff, name: "TIFF", encoder: "tiff", usualType: .tiff, segmentType: .tiff, pixels: .rgb24,
        transparency: Transparency(pixels: .rgba, segmentType: .tiff),
        options: [EncoderOption("compression_algo", .fixed("lzw"))])

    static let rawvideo = VideoCodecFormat(
        codec: .rawvideo, name: "uncompressed", encoder: "rawvideo", usualType: .nut, segmentType: .nut,
        transparency: Transparency(pixels: .rgba, segmentType: .nut))
}
