import ArtifactStore
import ExactTime
import ExportPlan
import Media

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Joins the segments by copying their packets and writes the film.
///
/// Presentation times become frame numbers of the film; decoding times count packets, early by the encoder's reordering
/// delay. Nothing is re-encoded. Checked on the way: parameter sets are equal, frames add up, no two share a number.
func stitch(
    _ plan: StitchPlan, _ segments: [StitchSegment], _ soundtrack: ArtifactKey?, _ sources: [String: SourceReference],
    store: any ArtifactStore, output: String, _ progress: (Int) -> Void
) throws {
    do {
        let settings = plan.container
        let writer = try MovieWriter(path: output, settings)
        var video = try segments.isEmpty ? nil : VideoPackets(plan, segments, store)
        let sound = try soundtrack.map { try SoundPackets(artifact($0, in: store)) }
        var subtitles = try (plan.subtitles ?? []).enumerated().map { try SubtitlePackets($1, number: $0, sources) }
        if let video { try writer.add(copying: video.reader, .video, timeBase: plan.frameRate.frameDuration.seconds) }
        if let sound { try writer.add(copying: sound.reader, .audio, timeBase: sound.reader.timeBase) }
        if let chapters = plan.chapters { try writer.add(chapters) }
        let cover = try plan.cover.map { try CoverFile($0, sources) }
        if let cover { try writer.addCover(cover.facts) }
        for track in subtitles { try writer.addSubtitles(track.number, language: track.language) }
        if let cover { try writer.writeCover(cover.bytes) }
        // In order of decoding time, so that the file plays while it is read.
        while video?.nextTime != nil || sound?.nextTime != nil {
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

/// A picture file as it goes into the film.
struct CoverFile {
    let facts: VideoFacts
    let bytes: [UInt8]

    init(_ cover: Cover, _ sources: [String: SourceReference]) throws {
        guard let source = sources[cover.source], let facts = source.facts.video,
            let data = FileManager.default.contents(atPath: source.path)
        else { throw MediaError(.missing, subject: cover.source, message: "is no picture among the sources of this job") }
        self.facts = facts
        bytes = [UInt8](data)
    }
}

/// The packets of all picture segments under the film's frame numbers.
private struct VideoPackets {
    private let plan: StitchPlan
    private let segments: [StitchSegment]
    private let store: any ArtifactStore
    private(set) var reader: PacketReader
    private let parameterSets: [UInt8]
    private var index = 0
    /// The film's number of the current segment's first frame.
    private var firstFrame = 0
    /// Packets of the current segment that were copied.
    private var copied = 0
    private var seen: Set<Int64> = []
    private var packet: Packet?
    /// Frames by which decoding runs ahead of presentation.
    private let delay: Int64
    private(set) var frames = 0

    init(_ plan: StitchPlan, _ segments: [StitchSegment], _ store: any ArtifactStore) throws {
        guard let first = segments.first else {
            throw JobFailure(.crash, subject: "", message: "a film without a segment cannot be joined")
        }
        self.plan = plan
        self.segments = segments
        self.store = store
        reader = try PacketReader(path: try artifact(first.key, in: store))
        parameterSets = reader.parameterSets
        packet = reader.next()
        let ticks = reader.timeBase
        delay =
            packet.map { first in
                Int64(
                    (Rational(first.presentationTicks - first.decodingTicks, 1) * ticks * plan.frameRate.framesPerSecond).rounded)
            } ?? 0
    }

    /// Seconds at which the next packet is decoded.
    var nextTime: Double? {
        packet == nil ? nil : plan.frameRate.time(ofFrame: firstFrame + copied).doubleValue
    }

    mutating func copyNext(to writer: MovieWriter) throws {
        guard let packet else { return }
        let frame = (Rational(packet.presentationTicks, 1) * reader.timeBase * plan.frameRate.framesPerSecond).rounded
        let segment = segments[index]
        guard frame >= 0, frame < segment.frameCount, seen.insert(Int64(frame)).inserted else {
            throw JobFailure(
                .crash, subject: segment.key.text, message: "has a frame out of place", missingArtifact: segment.key)
        }
        try packet.copy(
            to: writer, track: .video, presentation: Int64(firstFrame + frame), decoding: Int64(firstFrame + copied) - delay,
            duration: 1)
        copied += 1
        frames += 1
        self.packet = reader.next()
        if self.packet == nil { try advance() }
    }

    private mutating func advance() throws {
        let segment = segments[index]
        guard copied == segment.frameCount else {
            throw JobFailure(
                .crash, subject: segment.key.text, message: "holds \(copied) frames instead of \(segment.frameCount)",
                missingArtifact: segment.key)
        }
        index += 1
        firstFrame += copied
        copied = 0
        seen = []
        guard index < segments.count else { return }
        reader = try PacketReader(path: try artifact(segments[index].key, in: store))
        guard reader.parameterSets == parameterSets else {
            throw JobFailure(.crash, subject: segments[index].key.text, message: "was encoded with other parameter sets")
        }
        packet = reader.next()
    }
}

/// The packets of the encoded sound, as they are.
private final class SoundPackets {
    let reader: PacketReader
    private var packet: Packet?

    init(_ path: String) throws {
        reader = try PacketReader(path: path)
        packet = reader.next()
    }

    var nextTime: Double? {
        packet.map { (Rational($0.decodingTicks, 1) * reader.timeBase).doubleValue }
    }

    func copyNext(to writer: MovieWriter) throws {
        guard let packet else { return }
        try packet.copy(
            to: writer, track: .audio, presentation: packet.presentationTicks, decoding: packet.decodingTicks,
            duration: packet.durationTicks, keepsMarks: reader.hasMarks)
        self.packet = reader.next()
    }
}
