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
        case pictures
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

        /// - Parameter name: such as `main.m3u8`, `pictures.mp4` or `sound-0-12.m4s`.
        init?(name: String) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            var words = parts[0].split(separator: "-", omittingEmptySubsequences: false)[...]
            let track: Track
            switch words.popFirst() {
            case "main" where words.isEmpty && parts[1] == "m3u8":
                self = .main
                return
            case "pictures": track = .pictures
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
            case .pictures: "pictures"
            case .sound(let number): "sound-\(number)"
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
        guard plan.container.fileType == .mp4 || plan.container.fileType == .mov, plan.copied == nil, !segments.isEmpty else {
            let type = plan.container.fileType.rawValue
            throw RequestFault(
                .conflict,
                plan.copied != nil
                    ? "a film with pictures that are copied from its sources cannot be played before it is complete"
                    : "a film of the type \(type) cannot be played before it is complete; mp4 and mov can")
        }
        self.plan = plan
        self.segments = segments
        let tags = plan.sounds.map { [$0.first] + $0.others.map(\.tags) }
        sounds = parts.stitch.stitchedSounds.enumerated().map { number, sound in
            SoundStream(number: number, tags: tags?[number], parts: sound, done: parts.done)
        }
        done = parts.done
    }

    /// The picture segments at the beginning of the film that are rendered, without gaps.
    var readyCount: Int { segments.prefix { done.contains($0.key) }.count }

    /// Whether the stream has begun: its first pictures are there, and the first part of each soundtrack.
    var isReady: Bool { readyCount > 0 && sounds.allSatisfy { !$0.ready.isEmpty } }

    /// The artifact of a picture segment, with the number of its first frame; nil where there is none yet.
    func segment(_ number: Int) -> (key: ArtifactKey, firstFrame: Int)? {
        guard number < readyCount else { return nil }
        return (segments[number].key, segments[..<number].reduce(0) { $0 + $1.frameCount })
    }

    /// The pictures' playlist as far as they are rendered.
    var pictures: MediaPlaylist {
        func seconds(_ segment: StitchSegment) -> Double {
            Double(segment.frameCount) / plan.frameRate.framesPerSecond.doubleValue
        }
        let ready = readyCount
        return MediaPlaylist(
            header: File.header(.pictures).name,
            segments: segments[..<ready].enumerated().map { number, segment in
                MediaPlaylist.Segment(file: File.segment(.pictures, number).name, duration: seconds(segment))
            },
            longest: segments.map(seconds).max() ?? 0, isComplete: ready == segments.count)
    }

    /// The playlist that names the tracks.
    /// - Parameters:
    ///   - pictures: the first picture segment.
    ///   - sounds: the first parts of the soundtracks.
    /// - Throws: `RequestFault` `conflict` for a codec that streams do not have.
    func main(pictures: MovieTrack, sounds: [MovieTrack]) throws -> MultivariantPlaylist {
        let codecs = try ([pictures] + sounds.prefix(1)).map { track in
            guard let name = CodecName.name(of: track) else {
                throw RequestFault(.conflict, "the film's codec cannot be played before the film is complete")
            }
            return name
        }
        let size: (Int, Int)? = if case .video(let width, let height) = pictures.kind { (width, height) } else { nil }
        let renditions = self.sounds.map { sound in
            MultivariantPlaylist.Sound(
                file: File.playlist(.sound(sound.number)).name,
                name: sound.tags?.title ?? sound.tags?.language ?? "sound \(sound.number + 1)",
                language: sound.tags?.language)
        }
        return MultivariantPlaylist(
            pictures: File.playlist(.pictures).name, sounds: renditions, codecs: codecs, size: size,
            frameRate: plan.frameRate.framesPerSecond.doubleValue,
            bandwidth: pictures.bitsPerSecond + (sounds.map(\.bitsPerSecond).max() ?? 0))
    }
}

extension MovieTrack {
    /// The average of all samples.
    fileprivate var bitsPerSecond: Int {
        let bytes = samples.reduce(0) { $0 + $1.place.count }
        return Int((Double(bytes * 8) * Double(timescale) / Double(max(1, duration))).rounded(.up))
    }
}
