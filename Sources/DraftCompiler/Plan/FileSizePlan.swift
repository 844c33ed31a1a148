import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// The bytes that a film of a greatest size has for its pictures, as far as they are known before its sound is encoded.
struct FileSizePlan {
    /// The fewest bits a second that pictures are planned with.
    static let leastBitrate = 10_000

    /// Bytes of the whole file.
    var bytes: Int
    /// The bytes that the container takes besides the packets, at most.
    var overhead: Int
    /// The bytes that the sound is expected to take.
    var soundBytes: Int
    /// Seconds of film.
    private var seconds: Rational

    /// - Returns: nil if the size does not matter.
    init?(_ composition: Composition, _ format: OutputFormat) {
        guard let bytes = format.fileSizeLimit else { return nil }
        let seconds = composition.frameRate.time(ofFrame: composition.frameCount).seconds
        self.bytes = bytes
        self.seconds = seconds
        let tracks = composition.soundTracks?.count ?? 1
        soundBytes = tracks * (format.audio.map { (seconds * Rational($0.bitrate / 8)).rounded } ?? 0)
        let soundPackets = tracks * (format.audio.map { (seconds * Rational($0.sampleRate) / Rational(960)).ceil + 2 } ?? 0)
        overhead =
            format.container.overhead(frames: composition.frameCount, soundPackets: soundPackets, packetBytes: bytes)
            + (tracks - 1) * 3_000
    }

    /// The bitrate of the pictures in bits per second, which is below 0 where the rest is larger than the file.
    var videoBitrate: Int {
        (Rational((bytes - overhead - soundBytes) * 8) / max(seconds, Rational(1, 1000))).rounded
    }
}

extension ContainerSettings {
    /// The bytes that a file takes besides its packets, at most.
    /// - Parameter packetBytes: the bytes of all packets, at most.
    fileprivate func overhead(frames: Int, soundPackets: Int, packetBytes: Int) -> Int {
        let tags = metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
        return switch fileType.format.structure {
        // The header of a block, and a cluster every few seconds.
        case .matroska: 3_000 + tags + frames * 10 + soundPackets * 10
        // A transport stream: a header of 19 bytes for each picture and its time, and packets of 188 bytes with a header of
        // their own, of which the last of each picture is filled up.
        case .plain: 20_000 + tags + frames * 210 + soundPackets * 60 + packetBytes / 40
        // The tables of sizes, times and keyframes, and the places of the chunks in which the tracks are interleaved.
        case .isoMedia, .quickTime, .gif, .webp, .archive: 3_500 + tags + frames * 22 + soundPackets * 8
        }
    }
}
