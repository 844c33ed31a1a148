import ExactTime
import ExportPlan
import TextRendering
import Media

/// The open sources of one instruction. Layers that play a source with the same timing (a clip and its own blurred
/// background) share one reader, and all readers that play backwards share the room for kept frames.
final class SourceReaders {
    private struct Use: Hashable {
        var source: String
        var timing: SourceTiming?
        var view: DrawnView?
    }

    private let sources: [String: SourceReference]
    private let damage: DamageLog?
    private let decoderThreads: Int
    /// The part of the room for playing backwards that each reader gets, with a file of its own.
    private let room: BackwardRoom
    private let frameRate: FrameRate
    private let primaries: ColorDescription.Primaries
    private var readers: [Use: FrameReader] = [:]
    private var fonts: FontLibrary?

    /// - Parameters:
    ///   - frameRate: the film's.
    ///   - primaries: the film's.
    ///   - sources: by content hash.
    ///   - backwardFile: a path where no file is, for decoded frames of sources that play backwards; nil to keep them in
    ///     memory alone.
    ///   - decoderThreads: the most threads that decode one of them.
    ///   - damage: records defects of the sources.
    init(
        _ layers: [Layer], frameRate: FrameRate, primaries: ColorDescription.Primaries, sources: [String: SourceReference],
        backwardFile: String?, decoderThreads: Int, damage: DamageLog?
    ) {
        self.frameRate = frameRate
        self.primaries = primaries
        self.sources = sources
        self.damage = damage
        self.decoderThreads = decoderThreads
        let backwards = Set(
            layers.flatMap(\.playedSources).filter { $0.timing.isReversed }.map { Use(source: $0.source, timing: $0.timing) })
        let all = BackwardRoom()
        room = BackwardRoom(
            memory: all.memory / max(1, backwards.count), file: backwardFile, fileSize: all.fileSize / max(1, backwards.count))
    }

    /// - Throws: `MediaError` `missing` when the job has no such source.
    func source(_ hash: String) throws(MediaError) -> SourceReference {
        guard let source = sources[hash] else {
            throw MediaError(.missing, subject: hash, message: "is not among the sources of this job")
        }
        return source
    }

    /// The reader for a source with one timing. The timing is nil for a still.
    /// - Parameter view: how a drawing is made; nil for its own size, and for all other sources.
    func reader(_ hash: String, _ timing: SourceTiming?, view: DrawnView? = nil) throws(MediaError) -> FrameReader {
        let use = Use(source: hash, timing: timing, view: view)
        if let open = readers[use] { return open }
        let source = try source(hash)
        var room = room
        // A source that is held shows one frame.
        let isHeld = timing?.isHeld ?? true
        room.file = isHeld ? nil : room.file.map { "\($0).\(readers.count)" }
        let reader = try FrameReader(
            source, fields: timing?.fields, showsFields: showsFields(of: source, timing), view: view,
            primaries: primaries, room: room, threads: decoderThreads, damage: damage)
        readers[use] = reader
        return reader
    }

    /// Whether each field of a source that is deinterlaced is shown: where the film shows more pictures of it than it has
    /// frames, because of the film's rate or because it plays slowly. A held source shows the field of its instant.
    private func showsFields(of source: SourceReference, _ timing: SourceTiming?) -> Bool {
        guard let timing, timing.fields != nil, let video = source.facts.video else { return false }
        guard !timing.isHeld, timing.ramp == nil else { return true }
        return frameRate.framesPerSecond / timing.rate.magnitude > video.frameRate.framesPerSecond
    }

    /// This machine's fonts, and the draft's own fonts, which came with the job.
    /// - Throws: `MediaError` when they cannot be set up.
    func fontLibrary() throws(MediaError) -> FontLibrary {
        if let fonts { return fonts }
        let own = sources.values.filter { $0.facts.auxiliaryKind == .font }
        // A font library reports an unreadable file as a damaged font. Reading it here first gives the true error.
        for font in own { _ = try SourceFile(font).bytes() }
        let files = own.map(\.path).sorted()
        do throws(TextRenderingError) {
            let library = try FontLibrary(files: files)
            fonts = library
            return library
        } catch {
            throw MediaError(error)
        }
    }

    /// The time spent on reading and decoding so far.
    var decodingTime: Duration { readers.values.reduce(.zero) { $0 + $1.decodingTime } }
}
