import ContentHashing
import Coordinator
import ExactTime
import ExportPlan
import JobQueue
import Vocabulary
import FoundationEssentials

/// The jobs of a small film, as a compiler would plan them. Each segment has a name, and the same name gives the same
/// key.
struct SampleFilm {
    static let framesPerSegment = 30

    var pictures: [String]
    var sounds: [String]
    /// Whether its video is planned for a given size, with a bit budget.
    var hasBitrate = false
    /// Whether it has a poster and one sheet of sprites.
    var hasPoster = false
    /// The source that all of it shows and plays.
    var source = "holiday"

    init(pictures: [String] = ["sea", "hills"], sounds: [String] = ["waves"]) {
        self.pictures = pictures
        self.sounds = sounds
    }

    var frameCount: Int { pictures.count * Self.framesPerSegment }
    var soundtrackKey: ArtifactKey { .named("soundtrack of \(sounds)") }
    var filmKey: ArtifactKey { .named("film of \(pictures) and \(sounds)") }

    /// What the export has beside the film.
    var besideFilm: FilmPictures? {
        guard hasPoster else { return nil }
        let index = SpriteIndex(
            interval: .one, duration: MediaTime(seconds: pictures.count), width: 160, height: 90)
        return FilmPictures(
            poster: .named("poster of \(pictures)"),
            sprites: FilmPictures.Sprites(sheets: [.named("sprites of \(pictures)")], index))
    }

    var plan: PlannedExport {
        PlannedExport(jobs: jobs, filmKey: filmKey, frameCount: frameCount, pictures: besideFilm)
    }

    /// The jobs for measurement, pictures, sounds, soundtrack, stitch and the pictures beside the film, in this order.
    var jobs: [PlannedJob] {
        let pictureJobs = pictures.enumerated().map { place, name in
            PlannedJob(
                kind: .video, ordinal: place, key: .named(name), work: .video(segment: segment(name, at: place), sources: []),
                frameCount: Self.framesPerSegment, weight: 2)
        }
        let allocation = AllocationPlan(
            key: .named("bits of \(pictures)"), bits: 1_000_000, measures: pictures.map { .named("measured \($0)") })
        let measureJobs = zip(allocation.measures, pictures).enumerated().map { place, named in
            PlannedJob(
                kind: .measure, ordinal: place, key: named.0, work: .measure(segment: segment(named.1, at: place)),
                frameCount: Self.framesPerSegment, weight: 1)
        }
        let bitrateJobs =
            measureJobs + [
                PlannedJob(kind: .allocation, ordinal: 0, key: allocation.key, work: .allocation(plan: allocation), weight: 0.1)
            ]
        let soundJobs = sounds.enumerated().map { place, name in
            PlannedJob(
                kind: .audio, ordinal: place, key: .named(name), work: .audio(segment: sound(name, at: place), sources: []),
                weight: 0.5)
        }
        let soundtrack = SoundtrackPlan(
            key: soundtrackKey, encode: AudioEncodeSettings(bitrate: 128_000, sampleRate: 48_000, channels: 2),
            sampleCount: 48_000 * pictures.count)
        let stitch = StitchPlan(
            key: filmKey, frameRate: FrameRate(30), frameCount: frameCount,
            container: ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:]))
        let segments = pictures.map { StitchSegment(key: .named($0), frameCount: Self.framesPerSegment) }
        return (hasBitrate ? bitrateJobs : []) + pictureJobs + soundJobs + [
            PlannedJob(
                kind: .soundtrack, ordinal: 0, key: soundtrackKey,
                work: .soundtrack(plan: soundtrack, segments: sounds.map { .named($0) }), weight: 1),
            PlannedJob(
                kind: .stitch, ordinal: 0, key: filmKey,
                work: .stitch(plan: stitch, segments: segments, soundtrack: soundtrackKey, output: nil),
                frameCount: frameCount, weight: 1),
        ] + posterJobs
    }

    private var posterJobs: [PlannedJob] {
        let size = FrameSize(width: 320, height: 180)
        return (besideFilm?.keys ?? []).enumerated().map { place, key in
            let frame = SingleFrame(
                canvas: size, frameRate: FrameRate(30), instruction: segment("poster", at: 0).slice.instruction)
            let sheet = ContactSheet(frames: [frame], frameSize: size)
            return PlannedJob(
                kind: .picture, ordinal: place, key: key,
                work: .picture(plan: PicturePlan(key: key, sheet: sheet, fileType: .jpeg)), frameCount: 1, weight: 0.3)
        }
    }

    private func segment(_ name: String, at place: Int) -> VideoSegment {
        let canvas = FrameSize(width: 320, height: 180)
        let picture = Layer(
            content: .still(source: SourceFacts.sample(source).contentHash),
            placement: Placement(orientation: .upright, region: .whole, destination: PixelRect(canvas)))
        let instruction = Instruction(
            timeRange: TimeRange(start: .zero, duration: MediaTime(Rational(1))), layers: [picture])
        return VideoSegment(
            key: .named(name), firstFrame: place * Self.framesPerSegment,
            slice: VideoSlice(
                canvas: canvas, frameRate: FrameRate(30), frameCount: Self.framesPerSegment, instruction: instruction,
                encode: VideoEncodeSettings(
                    codec: .h264, rate: .quality(constantRateFactor: 20), speed: "medium", maxKeyframeInterval: 60)))
    }

    private func sound(_ name: String, at place: Int) -> AudioSegment {
        let input = AudioSliceInput(
            source: SourceFacts.sample(source).contentHash, firstSample: 0, sampleCount: 48_000, playbackRate: .one,
            sourceSample: 0, reversed: false, timeStretch: nil, gains: [.constant(1)])
        return AudioSegment(
            key: .named(name), firstSample: place * 48_000,
            slice: AudioSlice(sampleRate: 48_000, channels: 2, sampleCount: 48_000, inputs: [input]))
    }
}

extension PlannedJob {
    /// A probe of a location; the same location gives the same key.
    static func probe(_ location: String, ordinal: Int = 0) -> PlannedJob {
        PlannedJob(
            kind: .probe, ordinal: ordinal, key: .named("probe of \(location)"), work: .probe(path: location), weight: 0.1)
    }
}

extension ArtifactKey {
    static func named(_ name: String) -> ArtifactKey { ArtifactKey(ContentHash.of(Data(name.utf8))) }
}

extension SourceFacts {
    /// The source facts of the source with this name.
    static func sample(_ name: String) -> SourceFacts {
        SourceFacts(
            contentHash: ContentHash.of(Data(name.utf8)), byteCount: 1000, container: "mp3", origin: .zero, video: nil,
            audio: AudioFacts(
                streamIndex: 0, codec: "mp3", sampleRate: 48_000, channels: 2, channelLayout: "stereo",
                timeBase: Rational(1, 48_000), duration: MediaTime(Rational(10))))
    }
}
