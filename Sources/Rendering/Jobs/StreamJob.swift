import ArtifactStore
import ExactTime
import ExportPlan
import Media
import Streaming
import Vocabulary

/// Makes a stream of a film's segments and sounds: an archive of playlists and of a file for each track. It replaces
/// `stitch` for file types of streams. Nothing is encoded again.
struct StreamJob {
    private let plan: StitchPlan
    private let stream: StreamPlan
    private let store: any ArtifactStore

    init(_ plan: StitchPlan, _ stream: StreamPlan, _ store: any ArtifactStore) {
        self.plan = plan
        self.stream = stream
        self.store = store
    }

    /// A track whose fragments lie in a file of their own until the archive is written.
    private struct Track {
        var name: String
        var content: StreamFile
        var fragments: String
    }

    /// - Parameters:
    ///   - sounds: the encoded parts of each sound track.
    ///   - progress: called with the number of frames of which all renditions are done, at least that many.
    /// - Throws: `JobFailure`, which names artifacts that are damaged, so that they are made again.
    func write(
        _ segments: [StitchSegment], _ sounds: [[SoundContinuation]], _ sources: JobSources, to output: String,
        _ progress: (Int) -> Void
    ) throws {
        var files: [String] = []
        defer { files.forEach(removeFile) }
        func newFile() throws -> String {
            files.append(try store.temporaryFile(for: plan.key))
            return files[files.count - 1]
        }
        do {
            let pictures = try stream.renditions.enumerated().map { number, size in
                try rendition(number, size, segments, try newFile()) {
                    progress((number * plan.frameCount + $0) / stream.renditions.count)
                }
            }
            let tracks = try sounds.enumerated().map { try sound($1, number: $0, try newFile()) }
            let subtitles = try (plan.subtitles ?? []).enumerated().map {
                try SubtitlePackets($1, number: $0, sources.byHash)
            }
            try writeArchive(to: output, pictures, tracks, subtitles)
        } catch {
            removeFile(output)
            throw error
        }
    }

    // MARK: Tracks

    private func rendition(
        _ number: Int, _ size: FrameSize, _ segments: [StitchSegment], _ file: String, _ progress: (Int) -> Void
    ) throws -> Track {
        let fragments = try OutputFile(path: file)
        var content: StreamFile?
        var frames = 0
        for segment in segments {
            try naming(segment.key) {
                let path = try artifact(segment.key, in: store)
                let track = try MovieTrack(file: path, rendition: number)
                guard track.samples.count == segment.frameCount else {
                    throw StreamFault("the segment holds \(track.samples.count) frames instead of \(segment.frameCount)")
                }
                guard track.sampleEntry == content?.first.sampleEntry ?? track.sampleEntry else {
                    throw JobFailure(
                        .crash, subject: segment.key.text, message: "was encoded with other parameter sets")
                }
                var grown = try content ?? StreamFile(of: track)
                try grown.add(track, from: path, spacing: stream.keyframeSpacing) { fragments.write($0) }
                content = grown
            }
            frames += segment.frameCount
            progress(frames)
        }
        try fragments.finish()
        guard let content, frames == plan.frameCount else {
            throw JobFailure(.crash, subject: "", message: "the film has \(frames) frames instead of \(plan.frameCount)")
        }
        return Track(name: StreamNames.pictures(size.shorterSide), content: content, fragments: file)
    }

    private func sound(_ parts: [SoundContinuation], number: Int, _ file: String) throws -> Track {
        let fragments = try OutputFile(path: file)
        var content: StreamFile?
        for part in parts {
            try naming(part.key) {
                let path = try artifact(part.key, in: store)
                let track = try MovieTrack(file: path)
                var grown = try content ?? StreamFile(of: track)
                try grown.add(track, from: path, spacing: StreamFile.soundSpacing(track)) { fragments.write($0) }
                content = grown
            }
        }
        try fragments.finish()
        guard let content else { throw JobFailure(.crash, subject: "", message: "a sound track has no parts") }
        return Track(name: StreamNames.sound(number), content: content, fragments: file)
    }

    /// - Throws: `JobFailure` that names an artifact which is damaged.
    private func naming(_ key: ArtifactKey, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let fault as StreamFault {
            store.discard(key)
            throw JobFailure(.crash, subject: key.text, message: fault.description, missingArtifacts: [key])
        }
    }

    // MARK: The archive

    private func writeArchive(
        to output: String, _ pictures: [Track], _ sounds: [Track], _ subtitles: [SubtitlePackets]
    ) throws {
        let archive = try FileArchiveWriter(path: output)
        func add(_ playlist: String, as suffix: String = "m3u8", _ text: String) {
            archive.add("\(playlist).\(suffix)", text.utf8)
        }
        add(StreamNames.main, main(pictures, sounds, subtitles).text)
        add(StreamNames.main, as: "mpd", manifest(pictures, sounds, subtitles).text)
        for track in pictures {
            add(track.name, playlist(of: track, track.content.segments, .whole).text)
            add(StreamNames.keyframes(of: track.name), playlist(of: track, track.content.keyframes, .keyframes).text)
        }
        for track in sounds { add(track.name, playlist(of: track, track.content.segments, .whole).text) }
        for track in subtitles {
            let name = StreamNames.subtitles(track.number)
            var playlist = MediaPlaylist(
                header: nil, segments: [.init(file: "\(name).vtt", duration: duration)], longest: duration, isComplete: true)
            playlist.kind = .whole
            add(name, playlist.text)
            add(name, as: "vtt", track.webVTT)
        }
        for track in pictures + sounds {
            try archive.add("\(track.name).mp4", track.content.head, followedBy: try SourceFile(path: track.fragments))
        }
        try archive.finish()
    }

    private func playlist(of track: Track, _ parts: [StreamFile.Part], _ kind: MediaPlaylist.Kind) -> MediaPlaylist {
        let file = "\(track.name).mp4"
        var playlist = MediaPlaylist(
            header: file, segments: parts.map { .init(file: file, duration: $0.duration, range: $0.range) },
            longest: parts.map(\.duration).max() ?? 0, isComplete: true)
        playlist.headerRange = 0..<track.content.header.count
        playlist.kind = kind
        return playlist
    }

    private func main(_ pictures: [Track], _ sounds: [Track], _ subtitles: [SubtitlePackets]) -> MultivariantPlaylist {
        let variants = pictures.map { track in
            let parts = track.content.segments
            let size: (Int, Int)? =
                if case .video(let width, let height) = track.content.first.kind { (width, height) } else { nil }
            return MultivariantPlaylist.Variant(
                file: "\(track.name).m3u8",
                keyframes: ("\(StreamNames.keyframes(of: track.name)).m3u8", track.content.keyframes.peakBandwidth),
                codec: track.content.codec, size: size, bandwidth: parts.peakBandwidth,
                averageBandwidth: parts.averageBandwidth)
        }
        let tracks = sounds.enumerated().map { number, track in
            let (tags, parts) = (self.tags(ofSound: number), track.content.segments)
            return MultivariantPlaylist.Track(
                file: "\(track.name).m3u8", name: tags?.title ?? tags?.language ?? "sound \(number + 1)",
                language: tags?.language.map(LanguageCode.tag), codec: track.content.codec,
                channels: track.content.first.channels,
                bandwidth: parts.peakBandwidth, averageBandwidth: parts.averageBandwidth)
        }
        let texts = subtitles.map { track in
            MultivariantPlaylist.Track(
                file: "\(StreamNames.subtitles(track.number)).m3u8", name: "subtitles \(track.number + 1) (\(track.language))",
                language: LanguageCode.tag(track.language))
        }
        var playlist = MultivariantPlaylist(
            variants: variants, sounds: tracks, subtitles: texts, frameRate: plan.frameRate.framesPerSecond.doubleValue)
        playlist.tags = plan.container.metadata
        return playlist
    }

    private func manifest(_ pictures: [Track], _ sounds: [Track], _ subtitles: [SubtitlePackets]) -> DashManifest {
        let rate = plan.frameRate.framesPerSecond
        var manifest = DashManifest(
            pictures: pictures.map { .init(file: "\($0.name).mp4", content: $0.content) },
            sounds: sounds.enumerated().map { number, track in
                let tags = tags(ofSound: number)
                return .init(
                    file: "\(track.name).mp4", content: track.content, language: tags?.language.map(LanguageCode.tag),
                    label: tags?.title)
            },
            subtitles: subtitles.map {
                .init(file: "\(StreamNames.subtitles($0.number)).vtt", language: LanguageCode.tag($0.language))
            },
            frameRate: (Int(rate.numerator), Int(rate.denominator)), duration: duration)
        manifest.title = plan.container.metadata["title"]
        return manifest
    }

    /// The duration of the film in seconds.
    private var duration: Double { plan.frameRate.time(ofFrame: plan.frameCount).doubleValue }

    private func tags(ofSound number: Int) -> SoundTrackTags? {
        plan.sounds.map { number == 0 ? $0.first : $0.others[number - 1].tags }
    }
}
