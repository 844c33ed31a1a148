import Coordinator
import ExactTime
import ExportPlan
import FarmAPI
import Streaming
import Vocabulary

/// A film as a stream that can be played while its last segments are rendered: which files it has, and what they are made
/// of. The files are made of the artifacts when they are asked for, so nothing is encoded twice.
struct FilmStream {
    /// A track of the stream.
    enum Track: Hashable {
        /// The pictures. In a film with renditions the number is the shorter side of one of them.
        case pictures(Int?)
        /// A soundtrack, by its place among them.
        case sound(Int)
    }

    /// A file of the stream.
    enum File: Hashable {
        case main
        case playlist(Track)
        /// The header of a track's segments.
        case header(Track)
        case segment(Track, Int)

        /// - Parameter name: such as `main.m3u8`, `pictures.mp4`, `pictures-720-3.m4s` or `sound-0-12.m4s`.
        init?(name: String) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            var words = parts[0].split(separator: "-", omittingEmptySubsequences: false)[...]
            let track: Track
            switch words.popFirst() {
            case "main" where words.isEmpty && parts[1] == "m3u8":
                self = .main
                return
            case "pictures":
                // `pictures-7.m4s` is a segment of the only pictures, `pictures-720.m3u8` the playlist of a rendition.
                if words.count == (parts[1] == "m4s" ? 2 : 1) {
                    guard let side = words.popFirst().flatMap(File.number) else { return nil }
                    track = .pictures(side)
                } else {
                    track = .pictures(nil)
                }
            case "sound":
                guard let number = words.popFirst().flatMap(File.number) else { return nil }
                track = .sound(number)
            default: return nil
            }
            switch (parts[1], words.count) {
            case ("m3u8", 0): self = .playlist(track)
            case ("mp4", 0): self = .header(track)
            case ("m4s", 1):
                guard let number = words.first.flatMap(File.number) else { return nil }
                self = .segment(track, number)
            default: return nil
            }
        }

        /// A number as it is written in names: without a sign and without zeros in front.
        private static func number(_ text: Substring) -> Int? { Int(text).flatMap { "\($0)" == text && $0 >= 0 ? $0 : nil } }

        var name: String {
            switch self {
            case .main: "main.m3u8"
            case .playlist(let track): "\(File.stem(track)).m3u8"
            case .header(let track): "\(File.stem(track)).mp4"
            case .segment(let track, let number): "\(File.stem(track))-\(number).m4s"
            }
        }

        private static func stem(_ track: Track) -> String {
            switch track {
            case .pictures(let side): side.map(StreamNames.pictures) ?? "pictures"
            case .sound(let number): StreamNames.sound(number)
            }
        }
    }

    private let plan: StitchPlan
    private let segments: [StitchSegment]
    let sounds: [SoundStream]
    private let done: Set<ArtifactKey>

    /// - Throws: `RequestFault` `conflict` for a film whose segments cannot be played as a stream.
    init(_ parts: FilmParts) throws {
        guard case .stitch(let plan, let segments, _, _, _) = parts.stitch else {
            throw RequestFault(.conflict, "the export makes no film")
        }
        guard [.mp4, .mov, .hls].contains(plan.container.fileType), plan.copied == nil, !segments.isEmpty else {
            let type = plan.container.fileType.rawValue
            throw RequestFault(
                .conflict,
                plan.copied != nil
                    ? "a film with pictures that are copied from its sources cannot be played before it is complete"
                    : "a film of the type \(type) cannot be played before it is complete; mp4, mov and hls can")
        }
        self.plan = plan
        self.segments = segments
        let tags = plan.sounds.map { [$0.first] + $0.others.map(\.tags) }
        sounds = parts.stitch.stitchedSounds.enumerated().map { number, sound in
            SoundStream(number: number, tags: tags?[number], parts: sound, done: parts.done)
        }
        done = parts.done
    }

    /// The tracks of the pictures, the largest first.
    var renditions: [Track] { plan.stream?.renditions.map { .pictures($0.shorterSide) } ?? [.pictures(nil)] }

    /// The number of a track of the stream among the tracks of the picture segments' files; nil where they have only one.
    /// - Throws: `RequestFault` `notFound` for a track that the stream does not have.
    func number(of track: Track) throws -> Int? {
        guard case .pictures = track else { return nil }
        guard let number = renditions.firstIndex(of: track) else {
            throw RequestFault(.notFound, "the stream has no such rendition; main.m3u8 names those that it has")
        }
        return plan.stream == nil ? nil : number
    }

    /// The picture segments at the beginning of the film that are rendered, without gaps.
    var readyCount: Int { segments.prefix { done.contains($0.key) }.count }

    /// Whether the stream has begun: its first pictures are there, and the first part of each soundtrack.
    var isReady: Bool { readyCount > 0 && sounds.allSatisfy { !$0.ready.isEmpty } }

    /// The artifact of a picture segment, with the number of its first frame; nil where there is none yet.
    func segment(_ number: Int) -> (key: ArtifactKey, firstFrame: Int)? {
        guard segments.indices.contains(number), number < readyCount else { return nil }
        return (segments[number].key, segments[..<number].reduce(0) { $0 + $1.frameCount })
    }

    /// The playlist of the pictures as far as they are rendered.
    func playlist(of track: Track) -> MediaPlaylist {
        func seconds(_ segment: StitchSegment) -> Double {
            Double(segment.frameCount) / plan.frameRate.framesPerSecond.doubleValue
        }
        let ready = readyCount
        return MediaPlaylist(
            header: File.header(track).name,
            segments: segments[..<ready].enumerated().map { number, segment in
                MediaPlaylist.Segment(file: File.segment(track, number).name, duration: seconds(segment))
            },
            longest: segments.map(seconds).max() ?? 0, isComplete: ready == segments.count)
    }

    /// The playlist that names the tracks.
    /// The bandwidth of the pictures is not known before all are rendered. It is half as much again as the largest of some
    /// segments, which are the same ones for each rendition.
    /// - Parameters:
    ///   - pictures: picture segments in each rendition, at least one.
    ///   - sounds: the first parts of the soundtracks.
    /// - Throws: `RequestFault` `conflict` for a codec that streams do not have.
    func main(pictures: [[MovieTrack]], sounds: [MovieTrack]) throws -> MultivariantPlaylist {
        let variants = try zip(renditions, pictures).map { rendition, segments in
            let track = segments[0]
            let size: (Int, Int)? = if case .video(let width, let height) = track.kind { (width, height) } else { nil }
            return MultivariantPlaylist.Variant(
                file: File.playlist(rendition).name, codec: try FilmStream.codec(of: track), size: size,
                bandwidth: (segments.map(\.bitsPerSecond).max() ?? 0) * 3 / 2)
        }
        let tracks = try zip(self.sounds, sounds).map { sound, track in
            MultivariantPlaylist.Track(
                file: File.playlist(.sound(sound.number)).name,
                name: sound.tags?.title ?? sound.tags?.language ?? "sound \(sound.number + 1)",
                language: sound.tags?.language.map(LanguageCode.tag), codec: try FilmStream.codec(of: track),
                channels: track.channels,
                bandwidth: track.bitsPerSecond)
        }
        return MultivariantPlaylist(
            variants: variants, sounds: tracks, frameRate: plan.frameRate.framesPerSecond.doubleValue)
    }

    private static func codec(of track: MovieTrack) throws -> String {
        guard let name = CodecName.name(of: track) else {
            throw RequestFault(.conflict, "the film's codec cannot be played before the film is complete")
        }
        return name
    }
}

extension MovieTrack {
    /// The average of all samples.
    fileprivate var bitsPerSecond: Int {
        let bytes = samples.reduce(0) { $0 + $1.place.count }
        return Int((Double(bytes * 8) * Double(timescale) / Double(max(1, duration))).rounded(.up))
    }
}
