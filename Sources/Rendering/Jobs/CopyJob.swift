import ArtifactStore
import ExactTime
import ExportPlan
import Media

/// Copies a range of a source into a film of its own packet by packet, without decoding. An edit list cuts exactly at
/// the first and last picture and sample, wherever the keyframe before them is.
func copyRange(
    _ plan: StitchPlan, _ copied: CopiedFilm, _ sounds: [[SoundContinuation]], _ job: JobSources, store: any ArtifactStore,
    output: String,
    _ progress: (Int) -> Void
) throws {
    do {
        let (sources, damage) = (job.byHash, job.damage)
        let range = copied.ranges[0]
        let source = try sources.copied(range)
        let writer = try MovieWriter(path: output, plan.container)
        let pictures = try CopiedRangeReader(source, .video, range.sourceRange, damage: damage)
        let sound = copied.copiesSound ? try CopiedRangeReader(source, .audio, range.sourceRange, damage: damage) : nil
        let mix = try sounds.first.map { try EncodedSound($0, store) }
        try writer.add(copying: pictures, .video)
        if let sound { try writer.add(copying: sound, .audio) }
        if let mix { try writer.add(copying: mix.first, .audio, timeBase: mix.first.timeBase) }
        if let chapters = plan.chapters { try writer.add(chapters) }
        if let cover = try plan.cover.map({ try CoverFile($0, sources) }) {
            try writer.addCover(cover.facts)
            try writer.writeCover(cover.bytes)
        }
        var tracks = [try CopiedTrack(.video, pictures.timeBase, pictures.next)]
        if let sound { tracks.append(try CopiedTrack(.audio, sound.timeBase, sound.next)) }
        if let mix { tracks.append(try CopiedTrack(.audio, mix.first.timeBase, mix.next)) }
        var count = 0
        while let next = tracks.indices.filter({ tracks[$0].packet != nil }).min(by: { tracks[$0].time < tracks[$1].time }) {
            try tracks[next].copy(to: writer)
            if next == 0 {
                count += 1
                progress(min(count, plan.frameCount))
            }
        }
        try writer.finish()
        var lengths = [pictures.duration]
        if let sound { lengths.append(sound.duration) }
        if mix != nil { lengths.append(range.sourceRange.duration) }
        var length = try MovieLength(path: output)
        try length.shorten(to: lengths)
    } catch {
        removeFile(output)
        throw error
    }
}

/// A track that is being copied, with its next packet.
private struct CopiedTrack {
    private let track: MovieWriter.Track
    private let timeBase: Rational
    private let read: () throws -> Packet?
    private(set) var packet: Packet?

    init(_ track: MovieWriter.Track, _ timeBase: Rational, _ read: @escaping () throws -> Packet?) throws {
        self.track = track
        self.timeBase = timeBase
        self.read = read
        packet = try read()
    }

    /// The decoding time of the next packet, in seconds.
    var time: Double { packet.map { (Rational($0.decodingTicks, 1) * timeBase).doubleValue } ?? .infinity }

    mutating func copy(to writer: MovieWriter) throws {
        guard let packet else { return }
        try packet.copy(
            to: writer, track: track, presentation: packet.presentationTicks, decoding: packet.decodingTicks,
            duration: packet.durationTicks)
        self.packet = try read()
    }
}
