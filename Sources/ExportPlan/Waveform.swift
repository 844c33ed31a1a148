/// Asks how loud a mix is over time, as a picture of it needs to know.
public struct WaveformRequest: Hashable, Sendable, Codable {
    /// A picture of it to be written.
    public struct Picture: Hashable, Sendable, Codable {
        public var path: String
        public var size: FrameSize

        public init(path: String, size: FrameSize) {
            self.path = path
            self.size = size
        }
    }

    public var sampleRate: Int
    public var channels: Int
    /// Samples per channel that are one point, at least 1.
    public var samplesPerPoint: Int
    public var picture: Picture?

    public init(sampleRate: Int, channels: Int, samplesPerPoint: Int, picture: Picture? = nil) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samplesPerPoint = samplesPerPoint
        self.picture = picture
    }
}

/// The lowest and the highest sample of each stretch of a sound, of all channels together; -32768...32767 is full scale.
public struct SoundPeaks: Hashable, Sendable, Codable {
    public var lowest: [Int16]
    public var highest: [Int16]

    public init(lowest: [Int16] = [], highest: [Int16] = []) {
        self.lowest = lowest
        self.highest = highest
    }
}
