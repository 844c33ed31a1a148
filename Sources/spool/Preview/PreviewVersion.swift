import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import RenderingProcesses
import FoundationEssentials

/// A draft as it was prepared last, with the plan of its preview and the files that the page plays.
struct PreviewVersion: Sendable {
    /// A picture segment.
    struct Picture: Hashable, Sendable {
        var file: String
        var key: ArtifactKey
        var frames: Range<Int>
    }

    /// A segment of sound.
    struct Sound: Hashable, Sendable {
        var file: String
        var key: ArtifactKey
        /// The mixed segments that it is made of.
        var mixes: [ArtifactKey]
        /// In seconds of film.
        var start: Double
        var duration: Double
        /// The time of its first packet in samples, counted from the encoder's delay.
        var firstTick: Int
    }

    let prepared: DraftPreparation
    let plan: RenderPlan
    let proxy: ProxySize
    let pictures: [Picture]
    let sounds: [Sound]
    /// A moment of silence, of which the header of the sound is made; nil for a film without sound.
    let silence: Sound?
    /// The jobs, with the bytes that they are predicted to need.
    private let jobs: [ArtifactKey: (work: RenderJob, memory: Int64)]
    private let picturePlaces: [String: Int]
    private let soundPlaces: [String: Int]

    /// - Parameters:
    ///   - kept: the size of an earlier version of the draft; nil to choose one.
    ///   - height: the height of the pictures that was asked for.
    init(_ prepared: DraftPreparation, keeping kept: ProxySize?, height: Int?, slots: Int) {
        self.prepared = prepared
        let (composition, costs) = (prepared.composition, prepared.costs.model.table)
        var compiler = prepared.compiler
        func plan(_ size: FrameSize) -> RenderPlan {
            compiler.preview = PreviewFormat(size: size)
            return compiler.plan(composition, prepared.draft)
        }
        let facts = compiler.facts.values.byName
        let duration = composition.duration.doubleValue
        let proxy =
            kept
            ?? ProxySize(of: composition.canvas, height: height, duration: duration, slots: slots) { size in
                plan(size).jobs(predictedBy: costs, facts: facts).filter { $0.kind == .video }.reduce(0) { $0 + $1.weight }
            }
        let plan = plan(proxy.size)
        (self.plan, self.proxy) = (plan, proxy)
        pictures = plan.videoSegments.map { segment in
            Picture(file: PreviewVersion.name(segment.key, segment.firstFrame), key: segment.key, frames: segment.frames)
        }
        sounds = PreviewVersion.sounds(of: plan)
        var jobs: [ArtifactKey: (work: RenderJob, memory: Int64)] = [:]
        for job in plan.jobs(predictedBy: costs, facts: facts) where [.video, .audio, .soundtrack].contains(job.kind) {
            jobs[job.key] = (job.work, job.demand.memory)
        }
        silence = plan.soundtrack.map { soundtrack in
            let (mix, encoded) = PreviewFormat.silence(soundtrack.encode)
            jobs[mix.key] = (.audio(segment: mix), 0)
            jobs[encoded.key] = (.soundtrack(plan: encoded, segments: [mix.key]), 0)
            return Sound(
                file: PreviewMedia.soundHeader, key: encoded.key, mixes: [mix.key], start: 0, duration: 0, firstTick: 0)
        }
        self.jobs = jobs
        picturePlaces = Dictionary(pictures.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        soundPlaces = Dictionary(sounds.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func sounds(of plan: RenderPlan) -> [Sound] {
        guard let soundtrack = plan.soundtrack else { return [] }
        let (mixes, rate) = (plan.audioSegments.map(\.key), soundtrack.encode.sampleRate)
        guard let parts = soundtrack.parts else {
            return [
                Sound(
                    file: name(soundtrack.key, 0), key: soundtrack.key, mixes: mixes, start: 0,
                    duration: Double(soundtrack.sampleCount) / Double(rate), firstTick: 0)
            ]
        }
        let starts = parts.map { max(0, $0.firstSample) }
        let delay = -parts[0].firstSample
        return parts.enumerated().map { index, part in
            let end = index + 1 < parts.count ? starts[index + 1] : soundtrack.sampleCount
            return Sound(
                file: name(part.key, index), key: part.key, mixes: Array(mixes[part.segments]),
                start: Double(starts[index]) / Double(rate), duration: Double(end - starts[index]) / Double(rate),
                firstTick: part.firstSample + delay)
        }
    }

    /// The name of a media file: the content of its segment, and its place in the film.
    private static func name(_ key: ArtifactKey, _ place: Int) -> String { "\(key.text.prefix(32))-\(place).m4s" }

    /// The job that makes an artifact, with the bytes that it is predicted to need; nil where the plan has none.
    func job(_ key: ArtifactKey) -> (job: RenderJob, memory: Int64)? {
        jobs[key].map { ($0.work.with(sourcesAmong: prepared.sources), $0.memory) }
    }

    func picture(named file: String) -> Picture? { picturePlaces[file].map { pictures[$0] } }
    func sound(named file: String) -> Sound? { file == silence?.file ? silence : soundPlaces[file].map { sounds[$0] } }

    /// Whether the film has a file.
    func plays(_ file: String) -> Bool { artifact(of: file) != nil }

    /// The artifact that a file is made of; nil for a file that the film does not have.
    func artifact(of file: String) -> ArtifactKey? { picture(named: file)?.key ?? sound(named: file)?.key }

    /// The artifacts that have to be made for a file.
    func artifacts(of file: String) -> [ArtifactKey] {
        picture(named: file).map { [$0.key] } ?? sound(named: file).map { [$0.key] + $0.mixes } ?? []
    }

    /// The files that an artifact is for.
    func files(of key: ArtifactKey) -> [String] {
        let sounds = sounds + [silence].compactMap(\.self)
        return pictures.filter { $0.key == key }.map(\.file)
            + sounds.filter { $0.key == key || $0.mixes.contains(key) }.map(\.file)
    }

    /// Whether the pictures have the header of another version.
    func hasPictures(of other: PreviewVersion) -> Bool {
        proxy.size == other.proxy.size && prepared.composition.frameRate == other.prepared.composition.frameRate
    }

    /// The picture segment that is seen at a time, or the last one; nil for a film without pictures.
    func picture(at seconds: Double) -> Picture? {
        let rate = prepared.composition.frameRate.framesPerSecond.doubleValue
        return pictures.first { Double($0.frames.upperBound) / rate > seconds } ?? pictures.last
    }

    /// The files of a part of the film in the order in which they are needed: pictures and sound by their beginnings.
    /// - Parameter seconds: of film.
    func files(from seconds: Double, for length: Double) -> [String] {
        let rate = prepared.composition.frameRate.framesPerSecond.doubleValue
        let shown = pictures.map {
            (start: Double($0.frames.lowerBound) / rate, end: Double($0.frames.upperBound) / rate, $0.file)
        }
        let heard = sounds.map { (start: $0.start, end: $0.start + $0.duration, $0.file) }
        return (shown + heard).filter { $0.end > seconds && $0.start < seconds + length }.sorted { $0.start < $1.start }.map(\.2)
    }
}
