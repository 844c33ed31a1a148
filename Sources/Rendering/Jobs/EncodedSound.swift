import ArtifactStore
import ExportPlan
import Media

/// The packets of an encoded sound track with the film's times, from one part after the other.
final class EncodedSound {
    /// The reader of the first part, which has the setup of the decoder.
    let first: PacketReader
    private var reader: PacketReader
    private let store: any ArtifactStore
    private var rest: ArraySlice<SoundContinuation>
    /// The time of the part's first packet in ticks of its file, which counts samples as the film's sound does.
    private var start: Int64 = 0

    init(_ parts: [SoundContinuation], _ store: any ArtifactStore) throws {
        self.store = store
        rest = parts.dropFirst()
        first = try PacketReader(path: try artifact(parts[0].key, in: store))
        reader = first
    }

    /// The next packet, valid until the following call; nil at the end.
    func next() throws -> Packet? {
        while true {
            if let packet = try reader.next() {
                packet.delay(by: start)
                return packet
            }
            guard let part = rest.popFirst() else { return nil }
            reader = try PacketReader(path: try artifact(part.key, in: store))
            start = Int64(part.firstSample)
        }
    }
}
