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
        let pictures = (video.map { [$0] } ?? []) + (otherVideo ?? [])
        let sounds = (audio.map { [$0] } ?? []) + (otherAudio ?? [])
        return pictures.lazy.compactMap(\.validationError).first ?? sounds.lazy.compactMap(\.validationError).first
    }
}

extension VideoFacts {
    fileprivate var validationError: String? {
        let sides = 1...(1 << 20)
        guard sides.contains(size.width), sides.contains(size.height) else { return "a picture without pixels" }
        guard timeBase > .zero, frameRate.frameDuration > .zero, sampleAspectRatio > .zero else {
            return "a picture without a time base"
        }
        guard duration >= .zero, frameCount >= 0, streamIndex >= 0 else { return "a length below zero" }
        guard zip(keyframes, keyframes.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return "keyframes out of order"
        }
        return nil
    }
}

extension AudioFacts {
    fileprivate var validationError: String? {
        guard (1...(1 << 20)).contains(sampleRate), (1...1024).contains(channels), timeBase > .zero else {
            return "a sound without samples"
        }
        guard duration >= .zero, streamIndex >= 0 else { return "a length below zero" }
        return nil
    }
}
