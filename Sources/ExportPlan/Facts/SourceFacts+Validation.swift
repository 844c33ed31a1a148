import ExactTime

extension SourceFacts {
    /// A value that no file can have, such as a sample rate of 0, in words that follow "found"; nil where all values
    /// are possible.
    ///
    /// The facts come from a process that has read an untrusted file. The compiler computes with them, and wrong values
    /// must not make it crash.
    package var validationError: String? {
        guard contentHash.utf8.count == 64, contentHash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else {
            return "a hash that is not a sha256"
        }
        guard byteCount >= 0 else { return "a size below zero" }
        if let video {
            let sides = 1...(1 << 20)
            guard sides.contains(video.size.width), sides.contains(video.size.height) else { return "a picture without pixels" }
            guard video.timeBase > .zero, video.frameRate.frameDuration > .zero, video.sampleAspectRatio > .zero else {
                return "a picture without a time base"
            }
            guard video.duration >= .zero, video.frameCount >= 0, video.streamIndex >= 0 else { return "a length below zero" }
            guard zip(video.keyframes, video.keyframes.dropFirst()).allSatisfy({ $0 < $1 }) else {
                return "keyframes out of order"
            }
        }
        if let audio {
            guard (1...(1 << 20)).contains(audio.sampleRate), (1...1024).contains(audio.channels), audio.timeBase > .zero else {
                return "a sound without samples"
            }
            guard audio.duration >= .zero, audio.streamIndex >= 0 else { return "a length below zero" }
        }
        return nil
    }
}
