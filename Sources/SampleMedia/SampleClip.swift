package import ExactTime
package import ExportPlan
package import Media
package import Vocabulary

/// A short clip with a numbered picture and a test tone, drawn and encoded here.
package struct SampleClip: Sendable {
    package var picture: NumberedPicture
    package var tone: TestTone?
    package var size: FrameSize
    package var frameRate: FrameRate
    package var frameCount: Int
    /// The largest distance between keyframes, in frames.
    package var keyframeInterval: Int
    package var sampleRate: Int
    package var fileType: FileType

    package init(
        picture: NumberedPicture, tone: TestTone?, size: FrameSize, frameRate: FrameRate, frameCount: Int,
        keyframeInterval: Int = 48, sampleRate: Int = 44_100, fileType: FileType = .mp4
    ) {
        self.picture = picture
        self.tone = tone
        self.size = size
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.keyframeInterval = keyframeInterval
        self.sampleRate = sampleRate
        self.fileType = fileType
    }

    /// - Throws: `MediaError` if the file cannot be written.
    package func write(to path: String) throws(MediaError) {
        let settings = VideoEncodeSettings(
            codec: .h264, rate: .quality(constantRateFactor: 16), speed: "veryfast", maxKeyframeInterval: keyframeInterval)
        let video = try VideoEncoder(settings, size: size, frameRate: frameRate)
        let audio = try tone.map { _ throws(MediaError) in
            try AudioEncoder(AudioEncodeSettings(bitrate: 128_000, sampleRate: sampleRate, channels: 2))
        }
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: fileType, optimizeForNetworkUse: true, metadata: [:]))
        try writer.add(video)
        if let audio { try writer.add(audio) }
        var samples = 0
        for index in 0..<frameCount {
            let frame = try VideoFrame(.yuv420, size)
            picture.draw(index, into: frame)
            try video.encode(frame, index: index, to: writer)
            let until = frameRate.time(ofFrame: index + 1).rounded(toRate: sampleRate)
            if let audio, let tone {
                let block = (samples..<until).flatMap { index in
                    let value = tone.sample(index, sampleRate: sampleRate)
                    return [value, value]
                }
                var failure: MediaError?
                block.withUnsafeBufferPointer { block in
                    do throws(MediaError) { try audio.encode(block, to: writer) } catch { failure = error }
                }
                if let failure { throw failure }
            }
            samples = until
        }
        try video.finish(to: writer)
        try audio?.finish(to: writer)
        try writer.finish()
    }
}
