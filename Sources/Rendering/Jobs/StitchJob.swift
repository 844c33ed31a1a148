import ArtifactStore
import ExactTime
import ExportPlan
import Media

/// Joins the segments by copying their packets and writes the film.
///
/// Nothing is re-encoded. Ranges that are copied from sources are placed between the segments.
func stitch(
    _ plan: StitchPlan, _ segments: [StitchSegment], _ sounds: [[SoundContinuation]], _ job: JobSources,
    store: any ArtifactStore, output: String, _ progress: (Int) -> Void
) throws {
    do {
        let sources = job.byHash
        let settings = plan.container
        let writer = try MovieWriter(path: output, settings)
        let inputs = StitchInput.inOrder(segments, plan.copied)
        var video = try inputs.isEmpty ? nil : PicturePackets(plan, inputs, job, store)
        let sounds = try sounds.enumerated().map { index, parts in
            try SoundPackets(parts, index == 0 ? .audio : .furtherAudio(index), store)
        }
        var subtitles = try (plan.subtitles ?? []).enumerated().map { try SubtitlePackets($1, number: $0, sources) }
        try video?.addTrack(to: writer)
        for sound in sounds { try writer.add(copying: sound.sound.first, sound.track, timeBase: sound.sound.first.timeBase) }
        if let named = plan.sounds {
            for (sound, tags) in zip(sounds, [named.first] + named.others.map(\.tags)) { writer.setTags(tags, of: sound.track) }
        }
        if let chapters = plan.chapters { try writer.add(chapters) }
        let cover = try plan.cover.map { try CoverFile($0, sources) }
        if let cover { try writer.addCover(cover.facts) }
        for track in subtitles { try writer.addSubtitles(track.number, language: track.language) }
        if let cover { try writer.writeCover(cover.bytes) }
        // Packets are written in order of decoding time, so that the file can be played while it is read.
        while true {
            let sound = sounds.filter { $0.nextTime != nil }.min { ($0.nextTime ?? 0) < ($1.nextTime ?? 0) }
            guard video?.nextTime != nil || sound != nil else { break }
            let others = min(video?.nextTime ?? .infinity, sound?.nextTime ?? .infinity)
            for index in subtitles.indices { try subtitles[index].write(to: writer, until: others) }
            if let time = video?.nextTime, sound?.nextTime.map({ time <= $0 }) ?? true {
                try video?.copyNext(to: writer)
                progress(video?.frames ?? 0)
            } else {
                try sound?.copyNext(to: writer)
            }
        }
        if let video, video.frames != plan.frameCount {
            throw JobFailure(.crash, subject: "", message: "the film has \(video.frames) frames instead of \(plan.frameCount)")
        }
        try writer.finish()
    } catch {
        removeFile(output)
        throw error
    }
}

/// The picture file of a cover.
struct CoverFile {
    let facts: VideoFacts
    let bytes: [UInt8]

    init(_ cover: Cover, _ sources: [String: SourceReference]) throws {
        guard let source = sources[cover.source], let facts = source.facts.video else {
            throw MediaError(.missing, subject: cover.source, message: "is not a picture among the sources of this job")
        }
        self.facts = facts
        bytes = try SourceFile(source).bytes()
    }
}

/// The packets of an encoded sound track, copied unchanged.
private final class SoundPackets {
    let sound: EncodedSound
    let track: MovieWriter.Track
    private var packet: Packet?

    init(_ parts: [SoundContinuation], _ track: MovieWriter.Track, _ store: any ArtifactStore) throws {
        self.track = track
        sound = try EncodedSound(parts, store)
        packet = try sound.next()
    }

    var nextTime: Double? {
        packet.map { (Rational($0.decodingTicks, 1) * sound.first.timeBase).doubleValue }
    }

    func copyNext(to writer: MovieWriter) throws {
        guard let packet else { return }
        try packet.copy(
            to: writer, track: track, presentation: packet.presentationTicks, decoding: packet.decodingTicks,
            duration: packet.durationTicks, keepsMarks: sound.first.hasMarks)
        self.packet = try sound.next()
    }
}
