import ArgumentParser
import ArtifactStore
import CommandLineInterface
import DraftModel
import ExportPlan
import RenderingProcesses
import Vocabulary

/// `spool waveform`: measures the loudness over time of a draft's mix or of a file's sound.
struct WaveformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform", abstract: "Draw a draft's mix, or a file's sound, over time.",
        discussion:
            "The JSON is that of BBC's audiowaveform, version 2, which peaks.js and others read. A file whose name does not end in .json is a media file."
    )

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var writing: OutputOptions

    @Option(help: "Samples that are one point of the JSON and one column of the picture at most, 1...1000000.")
    var samplesPerPixel = 512

    @Option(help: "The size of the picture, as in 1200x200.")
    var size = FrameSize(width: 1200, height: 200)

    @Option(name: [.customShort("o"), .long], help: "A picture to write: .png or .webp.")
    var output: String?

    @Flag(help: "Print the points as JSON.")
    var json = false

    func validate() throws {
        if !(1...1_000_000).contains(samplesPerPixel) {
            throw ValidationError("--samples-per-pixel must be 1...1000000, not \(samplesPerPixel)")
        }
        if output == nil, !json { throw ValidationError("give -o FILE, --json or both") }
    }

    func run() async throws {
        try await Interruption.run { try await draw() }
    }

    private func draw() async throws {
        if let output { try writing.checkPlace(output) }
        let prepared = try await DraftPreparation(
            draft, work, wrapsMedia: .sound, selection: clips.selection, cacheLimit: try cacheLimit.bytes())
        if let output { try await prepared.check(outputs: [output], document: draft.draft) }
        let type = try output.map { try PictureOptions.fileType(of: $0) }
        guard type != .jpeg else {
            throw CommandFailure(
                "the background of a waveform is transparent, and a JPEG has no transparency; name a .png or .webp file",
                status: ExitStatus.usage)
        }
        guard let mix = prepared.plan.soundtrack?.encode else {
            throw CommandFailure("the file type that is set has no sound; leave it out", status: ExitStatus.badInput)
        }
        let partial = output.map { PartialFile(of: $0) }
        partial?.removeLeftovers()
        defer { partial?.remove() }
        let request = WaveformRequest(
            sampleRate: mix.sampleRate, channels: mix.channels,
            samplesPerPoint: samplesPerPixel, picture: partial.map { .init(path: $0.path, size: size, fileType: type ?? .png) })
        defer { prepared.limitCache(isQuiet: json) }
        let (peaks, found) = try await prepared.waveform(request, output)
        try partial?.complete(replacing: !writing.noOverwrite)
        if json {
            try Terminal.printJSON(WithWarnings(AudioWaveform(peaks, request), prepared.warnings + found))
        } else {
            Terminal.print(
                "\(output ?? ""): \(peaks.lowest.count) points of \(samplesPerPixel) samples at \(request.sampleRate) Hz")
        }
        try Warnings(isStrict: draft.strict).tell(found)
    }
}

/// The JSON format of audiowaveform.
private struct AudioWaveform: Encodable {
    var version = 2
    var channels = 1
    var sampleRate: Int
    var samplesPerPixel: Int
    var bits = 16
    var length: Int
    /// The lowest and highest sample of each point, alternating.
    var data: [Int16]

    init(_ peaks: SoundPeaks, _ request: WaveformRequest) {
        sampleRate = request.sampleRate
        samplesPerPixel = request.samplesPerPoint
        length = peaks.lowest.count
        data = zip(peaks.lowest, peaks.highest).flatMap { [$0, $1] }
    }

    private enum CodingKeys: String, CodingKey {
        case version, channels, bits, length, data
        case sampleRate = "sample_rate"
        case samplesPerPixel = "samples_per_pixel"
    }
}

extension DraftPreparation {
    /// Mixes the segments that are not in the cache, and computes the peaks.
    /// - Parameter output: the name of the picture in messages.
    /// - Returns: the peaks, and damage in the sources that was concealed.
    /// - Throws: `CommandFailure` that names the places of the draft that are the cause.
    fileprivate func waveform(
        _ request: WaveformRequest, _ output: String?
    ) async throws -> (SoundPeaks, [DraftDiagnostic]) {
        var nodes: [JobGraph.Node] = []
        var planned: Set<ArtifactKey> = []
        var found: [SourceWarning] = []
        for segment in plan.audioSegments where planned.insert(segment.key).inserted {
            guard try store.localFile(for: segment.key) == nil else {
                found += try store.warnings(of: segment.key)
                continue
            }
            nodes.append(JobGraph.Node(RenderJob.audio(segment: segment).with(sourcesAmong: sources)))
        }
        nodes.append(
            JobGraph.Node(
                .waveform(segments: plan.audioSegments.map(\.key), request: request), after: Set(nodes.indices)))
        do {
            let results = try await pool.run(nodes, { _ in })
            guard let peaks = results[nodes.count - 1]?.peaks else {
                preconditionFailure("a waveform that was drawn has peaks")
            }
            found += results.sorted { $0.key < $1.key }.flatMap { $0.value.warnings ?? [] }
            return (peaks, diagnostics(found.distinct))
        } catch let failure as JobFailure {
            throw CommandFailure(failure, writing: [output].compactMap { $0 }, places: places)
        }
    }
}
