import ExactTime
import ExportPlan

/// Source facts of the pictures that libav cannot read: animated WebP, HEIC and AVIF, SVG, Lottie.
extension Probe {
    /// - Throws: `MediaError` `damaged` if the first frame cannot be decoded; see `AnimatedWebP`.
    static func animatedWebPFacts(_ file: SourceFile, _ step: () -> Void) throws(MediaError) -> SourceFacts {
        let animation = try AnimatedWebP(file)
        step()
        guard let first = try animation.next() else {
            throw MediaError(
                .damaged, subject: file.path,
                message: "is damaged: its first frame cannot be decoded; copy or export the file again")
        }
        let timing = VideoTiming(
            animation: Array(animation.times.dropLast()), end: animation.times.last ?? 0, timeBase: AnimatedWebP.timeBase)
        var video = VideoFacts(
            streamIndex: 0, codec: "webp", size: animation.size, orientation: .upright, sampleAspectRatio: .one,
            pixelFormat: "rgba", hasAlpha: animation.hasAlpha,
            color: ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true),
            timeBase: AnimatedWebP.timeBase, frameRate: timing.frameRate, isVariableFrameRate: timing.isVariable,
            frameCount: timing.frameCount, duration: timing.duration, keyframes: timing.keyframes,
            isStill: timing.frameCount == 1, isAnimatedPicture: timing.frameCount > 1)
        video.apply(profileOf: first.frame)
        return try facts(file, AnimatedWebP.container, video, step)
    }

    /// - Throws: see `HeifPicture`.
    static func heifFacts(_ file: SourceFile, _ step: () -> Void) throws(MediaError) -> SourceFacts {
        let picture = try HeifPicture(file)
        step()
        let (frame, color) = try picture.decode()
        step()
        // A still lasts as long as libav's stills do: one frame at 25 frames per second.
        let rate = FrameRate(25)
        var video = VideoFacts(
            streamIndex: 0, codec: picture.codec, size: frame.size, orientation: .upright, sampleAspectRatio: .one,
            pixelFormat: picture.hasAlpha ? "rgba" : "rgb24", hasAlpha: picture.hasAlpha, color: color,
            timeBase: rate.frameDuration.seconds, frameRate: rate, isVariableFrameRate: false, frameCount: 1,
            duration: rate.frameDuration, keyframes: [.zero], isStill: true)
        video.apply(profileOf: frame)
        return try facts(file, HeifPicture.container, video, step)
    }

    /// - Throws: see `SVGPicture`.
    static func svgFacts(_ file: SourceFile, _ step: () -> Void) throws(MediaError) -> SourceFacts {
        let picture = try SVGPicture(file)
        step()
        _ = try picture.next()
        step()
        let rate = FrameRate(25)
        let video = VideoFacts(
            streamIndex: 0, codec: SVGPicture.codec, size: picture.size, orientation: .upright, sampleAspectRatio: .one,
            pixelFormat: "rgba", hasAlpha: true,
            color: ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true),
            timeBase: rate.frameDuration.seconds, frameRate: rate, isVariableFrameRate: false, frameCount: 1,
            duration: rate.frameDuration, keyframes: [.zero], isStill: true)
        return try facts(file, SVGPicture.container, video, step)
    }

    /// - Throws: see `LottiePictures`.
    static func lottieFacts(_ file: SourceFile, _ step: () -> Void) throws(MediaError) -> SourceFacts {
        let animation = try LottiePictures(file)
        step()
        _ = try animation.next()
        step()
        let rate = animation.frameRate
        let video = VideoFacts(
            streamIndex: 0, codec: LottiePictures.codec, size: animation.size, orientation: .upright, sampleAspectRatio: .one,
            pixelFormat: "rgba", hasAlpha: true,
            color: ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true),
            timeBase: rate.frameDuration.seconds, frameRate: rate, isVariableFrameRate: false,
            frameCount: animation.frameCount, duration: rate.time(ofFrame: animation.frameCount),
            keyframes: (0..<animation.frameCount).map { rate.time(ofFrame: $0) }, isStill: animation.frameCount == 1,
            isAnimatedPicture: animation.frameCount > 1)
        return try facts(file, LottiePictures.container, video, step)
    }

    private static func facts(
        _ file: SourceFile, _ container: String, _ video: VideoFacts, _ step: () -> Void
    ) throws(MediaError) -> SourceFacts {
        SourceFacts(
            contentHash: try file.contentHash(step), byteCount: file.byteCount, container: container, origin: .zero, video: video,
            audio: nil, identity: file.identity)
    }
}
