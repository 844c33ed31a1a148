/// One amount of work in a job. Each takes a time that is proportional to the amount, and a job takes the sum of these
/// times. A megapixel-frame is a million pixels of one frame.
package enum JobFeature: String, CaseIterable, Hashable, Sendable {
    /// 1 for every job: to look for its files, to begin, and to store the result.
    case start
    /// Output megapixel-frames, times the effort of the encoder's speed setting (1 for `medium`), times the passes.
    case encodedPixels
    /// Megapixel-frames of the sources that have to be decoded, those from the keyframe before the first one included,
    /// times the effort of their codec (1 for H.264).
    case decodedPixels
    /// Output megapixel-frames of each layer that is drawn; a freely transformed layer counts twice.
    case drawnPixels
    /// Output megapixel-frames of each operation, mask and blurred layer.
    case filteredPixels
    /// Output megapixel-frames of transitions, those of layers included.
    case joinedPixels
    /// Seconds of sound that are mixed: those of the result and those of each input.
    case mixedSound
    /// Seconds of sound that a time stretcher makes.
    case stretchedSound
    /// Seconds of sound that are encoded.
    case encodedSound
    /// Seconds of sound that mastering passes over, beyond the pass that encodes them.
    case masteredSound
    /// Frames of the film that are joined.
    case frames
    /// Artifacts and copied ranges that are read.
    case parts
}

extension JobKind {
    /// The features of the kind's jobs, in the order in which `JobFeatures` has their amounts. The first is `start`.
    package var features: [JobFeature] {
        switch self {
        case .probe: [.start]
        case .measure, .video: [.start, .encodedPixels, .decodedPixels, .drawnPixels, .filteredPixels, .joinedPixels]
        case .allocation: [.start, .parts]
        case .audio: [.start, .mixedSound, .stretchedSound]
        case .soundtrack: [.start, .encodedSound, .masteredSound]
        case .stitch: [.start, .frames, .parts]
        case .picture: [.start, .decodedPixels, .drawnPixels, .filteredPixels, .joinedPixels]
        }
    }
}
