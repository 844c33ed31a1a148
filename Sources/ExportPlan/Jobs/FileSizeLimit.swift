/// The greatest size of a film's file, and what of it is not for the pictures.
package struct FileSizeLimit: Hashable, Sendable, Codable {
    /// Bytes of the whole file.
    package var bytes: Int
    /// The bytes that the container takes besides the packets, at most.
    package var overhead: Int
    /// The soundtrack, whose size is known when it has been encoded; nil for a film without sound.
    package var soundtrack: ArtifactKey?
    /// The artifacts behind the first soundtrack's first one: its further parts, and the sound tracks beside it; nil where
    /// there are none.
    package var furtherSoundtracks: [ArtifactKey]?

    /// The artifacts of all sound tracks. One that is in the film twice is listed twice.
    package var soundtracks: [ArtifactKey] { (soundtrack.map { [$0] } ?? []) + (furtherSoundtracks ?? []) }

    package init(bytes: Int, overhead: Int, soundtrack: ArtifactKey?) {
        self.bytes = bytes
        self.overhead = overhead
        self.soundtrack = soundtrack
    }

    /// The bits that are left for the pictures; below 0 where the rest is larger than the limit.
    /// - Parameter soundBytes: the size of the soundtrack's file.
    package func pictureBits(soundBytes: Int) -> Int { (bytes - overhead - soundBytes) * 8 }
}
