import ExactTime

extension SourceFacts {
    /// What no file can have, such as a sample rate of 0, in words that go on after "found"; nil where there is nothing of the kind.
    ///
    /// Facts come from a process that has read a file of anybody's. The compiler computes with them and must not be stopped by them.
    public var impossibility: String? {
        guard contentHash.utf8.count == 64, contentHash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else {
            return "a hash that is none"
        }
        guard byteCount >= 0 else { return "a size below zero" }
        if let video {
            let sides = 1...(1 << 20)
            guard sides.contains(video.size.width), sides.contains(video.size.height) else { return "a picture without pixels" }
            guard video.timeBase > .zero, video.frameRate.frameDuration > .zero, video.sampleAspectRatio > .zero else {
                return "a picture whose time stands still"
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
