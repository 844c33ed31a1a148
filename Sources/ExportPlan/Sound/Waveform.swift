package import Vocabulary

/// A request for the loudness of a mix over time, as a waveform display needs it.
package struct WaveformRequest: Hashable, Sendable, Codable {
    /// A picture of the waveform to be written.
    package struct Picture: Hashable, Sendable, Codable {
        package var path: String
        package var size: FrameSize
        package var fileType: PictureFileType

        package init(path: String, size: FrameSize, fileType: PictureFileType) {
            self.fileType = fileType
            self.path = path
            self.size = size
        }
    }

    package var sampleRate: Int
    package var channels: Int
    /// The number of samples per channel that make one point, at least 1.
    package var samplesPerPoint: Int
    package var picture: Picture?

    package init(sampleRate: Int, channels: Int, samplesPerPoint: Int, picture: Picture? = nil) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samplesPerPoint = samplesPerPoint
        self.picture = picture
    }
}

/// The lowest and the highest sample of each point of a waveform, over all channels; full scale is -32768...32767.
package struct SoundPeaks: Hashable, Sendable, Codable {
    package var lowest: [Int16]
    package var highest: [Int16]

    package init(lowest: [Int16] = [], highest: [Int16] = []) {
        self.lowest = lowest
        self.highest = highest
    }
}
