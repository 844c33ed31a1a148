import ContentHashing
import Streaming

/// Makes the files that the page plays of the artifacts: fragments of MP4, and the headers that come before them.
struct PreviewMedia {
    /// The name of the header of the sound, whose settings are the same for all previews.
    static let soundHeader = "sound.mp4"

    let directory: PreviewDirectory

    /// The facts of a track that a player has to know before its first segment.
    struct Track: Hashable, Sendable {
        /// The name of the file with the header.
        var header: String
        /// The codec as RFC 6381 writes it.
        var codec: String
        /// The average of the segment that it was read from.
        var bitsPerSecond: Int
    }

    /// Writes a picture segment.
    /// - Parameter number: the place of the segment among those of the film.
    /// - Throws: `StreamFault` for an artifact that is none, and what `PreviewDirectory.write` throws.
    func write(_ picture: PreviewVersion.Picture, from artifact: String, number: Int) throws {
        let track = try MovieTrack(file: artifact)
        let start = picture.frames.lowerBound * (track.samples.first?.duration ?? 0)
        let fragment = MovieFragment(of: track, samples: track.samples.indices, number: number, start: start)
        try directory.write(try fragment.bytes(from: artifact), to: "media/\(picture.file)")
    }

    /// Writes a segment of sound.
    func write(_ sound: PreviewVersion.Sound, from artifact: String, number: Int) throws {
        let track = try MovieTrack(file: artifact)
        let fragment = MovieFragment(of: track, samples: track.samples.indices, number: number, start: sound.firstTick)
        try directory.write(try fragment.bytes(from: artifact), to: "media/\(sound.file)")
    }

    /// Writes the header of a track, which is the same for all of its segments.
    /// - Parameters:
    ///   - artifact: a picture segment, or the beginning of a sound, which has the encoder's delay.
    ///   - fixed: the name of the file; nil for one that depends on what the header says.
    func writeHeader(of artifact: String, named fixed: String? = nil) throws -> Track {
        let track = try MovieTrack(file: artifact)
        guard let codec = CodecName.name(of: track) else { throw StreamFault("the codec of the preview has no name") }
        let header = MovieHeader(of: track).bytes
        let name = fixed ?? "pictures-\(ContentHash.of(header).prefix(12)).mp4"
        try directory.write(header, to: "media/\(name)")
        let bytes = track.samples.reduce(0) { $0 + $1.place.count }
        return Track(
            header: name, codec: codec,
            bitsPerSecond: Int((Double(bytes * 8) * Double(track.timescale) / Double(max(1, track.duration))).rounded(.up)))
    }
}
