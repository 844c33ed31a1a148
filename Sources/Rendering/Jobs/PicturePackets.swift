import ArtifactStore
import ExactTime
import ExportPlan
import Media

/// The packets of all parts of the film with the film's frame numbers as timestamps. Presentation times become frame
/// numbers; decoding times count packets and run ahead by the encoders' reordering delay. It checks that parameter sets
/// are equal, that the numbers of frames are right, and that no two frames have the same number.
struct PicturePackets {
    private let plan: StitchPlan
    private let inputs: [StitchInput]
    private let sources: JobSources
    private let store: any ArtifactStore
    private var reader: any PictureReader
    private var parameterSets: [UInt8] = []
    private var index = 0
    /// The film's frame number of the current part's first frame.
    private var firstFrame = 0
    /// The number of frames of the current part that were copied.
    private var copied = 0
    private var seen: Set<Int64> = []
    private var packet: Packet?
    /// The number of frames by which decoding runs ahead of presentation.
    private let delay: Int64
    private(set) var frames = 0

    /// - Parameter inputs: the encoded segments and the copied ranges of the film, at least one.
    init(
        _ plan: StitchPlan, _ inputs: [StitchInput], _ sources: JobSources, _ store: any ArtifactStore
    ) throws {
        self.plan = plan
        self.inputs = inputs
        self.sources = sources
        self.store = store
        let isSpliced = plan.copied != nil
        reader = try PicturePackets.open(inputs[0], isSpliced, givesTrack: true, sources, store)
        if let segment = reader as? PacketReader { parameterSets = segment.parameterSets }
        delay = isSpliced ? PicturePackets.longestDelay : try PicturePackets.delay(of: inputs, plan, sources, store)
        packet = try reader.nextPacket()
    }

    /// The number of frames by which the encoder decodes ahead of presentation. A segment of one or two frames does not show
    /// it, because nothing is reordered in it.
    private static func delay(
        of inputs: [StitchInput], _ plan: StitchPlan, _ sources: JobSources, _ store: any ArtifactStore
    ) throws -> Int64 {
        let telling = inputs.first { $0.frameCount > EncoderPreset.mostReordered } ?? inputs[0]
        let reader = try open(telling, false, givesTrack: false, sources, store)
        guard let first = try reader.nextPacket() else { return 0 }
        let early = Rational(first.presentationTicks - first.decodingTicks, 1)
        return Int64((early * reader.timeBase * plan.frameRate.framesPerSecond).rounded)
    }

    /// The greatest number of pictures that a decoder of H.264 or HEVC holds. The delay of other encoders is not known
    /// before all their packets were read.
    private static let longestDelay: Int64 = 16

    /// - Parameter givesTrack: whether the film's track is made of the part. The other parts give packets alone.
    private static func open(
        _ input: StitchInput, _ isSpliced: Bool, givesTrack: Bool, _ sources: JobSources, _ store: any ArtifactStore
    ) throws -> any PictureReader {
        switch input {
        case .encoded(let segment):
            let path = try artifact(segment.key, in: store)
            let reader = try PacketReader(path: path, examinesStream: givesTrack || isSpliced)
            return isSpliced ? try SplicedReader(reader, path: path) : reader
        case .copied(let range):
            let source = try sources.byHash.copied(range)
            return try SplicedReader(
                try CopiedRangeReader(source, .video, range.sourceRange, damage: sources.damage), path: source.path)
        }
    }

    func addTrack(to writer: MovieWriter) throws {
        if let encoded = reader as? PacketReader {
            return try writer.add(copying: encoded, .video, timeBase: plan.frameRate.frameDuration.seconds)
        }
        func first(encoded: Bool) throws -> SplicedReader? {
            let input = inputs.first { $0.isEncoded == encoded }
            return try input.map { try PicturePackets.open($0, true, givesTrack: true, sources, store) } as? SplicedReader
        }
        guard let copied = try first(encoded: false) else { return }
        try writer.add(splicing: copied, try first(encoded: true), plan.frameRate)
    }

    /// The decoding time of the next packet, in seconds.
    var nextTime: Double? {
        packet == nil ? nil : plan.frameRate.time(ofFrame: firstFrame + copied).doubleValue
    }

    mutating func copyNext(to writer: MovieWriter) throws {
        guard let packet else { return }
        let frame = (Rational(packet.presentationTicks, 1) * reader.timeBase * plan.frameRate.framesPerSecond).rounded
        let isShown = reader.isShown(packet)
        let isInPlace = frame >= 0 && frame < inputs[index].frameCount
        guard isInPlace, !isShown || seen.insert(Int64(frame)).inserted else { throw wrong("has a frame out of place") }
        try packet.copy(
            to: writer, track: .video, presentation: Int64(firstFrame + frame), decoding: Int64(firstFrame + copied) - delay,
            duration: 1, keepsMarks: reader.hasTransparency)
        if isShown {
            copied += 1
            frames += 1
        }
        self.packet = try reader.nextPacket()
        if self.packet == nil { try advance() }
    }

    private mutating func advance() throws {
        let count = inputs[index].frameCount
        guard copied == count else { throw wrong("holds \(copied) frames instead of \(count)") }
        index += 1
        firstFrame += copied
        copied = 0
        seen = []
        guard index < inputs.count else { return }
        reader = try PicturePackets.open(inputs[index], plan.copied != nil, givesTrack: false, sources, store)
        if let segment = reader as? PacketReader, segment.parameterSets != parameterSets {
            throw wrong("was encoded with other parameter sets", isDamaged: false)
        }
        packet = try reader.nextPacket()
    }

    private func wrong(_ segment: StitchSegment, _ message: String, isDamaged: Bool) -> JobFailure {
        if isDamaged { store.discard(segment.key) }
        return JobFailure(.crash, subject: segment.key.text, message: message, missingArtifacts: isDamaged ? [segment.key] : [])
    }

    /// - Parameter isDamaged: whether rendering the segment again may help.
    private func wrong(_ message: String, isDamaged: Bool = true) -> any Error {
        switch inputs[index] {
        case .encoded(let segment):
            wrong(segment, message, isDamaged: isDamaged)
        case .copied(let range):
            MediaError(
                .damaged, subject: sources.byHash[range.source]?.path ?? range.source,
                message: "\(message) where it is copied")
        }
    }
}

/// A source of picture packets.
private protocol PictureReader {
    /// Seconds per tick of the packets' timestamps.
    var timeBase: Rational { get }

    /// Whether alpha is in the packets' side data.
    var hasTransparency: Bool { get }

    /// Whether a packet's picture is shown.
    func isShown(_ packet: Packet) -> Bool

    /// - Returns: a packet that is valid until the next call; nil at the end.
    func nextPacket() throws -> Packet?
}

extension PacketReader: PictureReader {
    func isShown(_ packet: Packet) -> Bool { true }

    func nextPacket() throws -> Packet? { try next() }
}

extension SplicedReader: PictureReader {
    /// Transparent pictures never stand beside copied ones.
    var hasTransparency: Bool { false }

    func nextPacket() throws -> Packet? { try next() }
}

extension [String: SourceReference] {
    /// The source of a copied range.
    func copied(_ range: CopiedRange) throws -> SourceReference {
        guard let source = self[range.source] else {
            throw MediaError(.missing, subject: range.source, message: "is not among the sources of this job")
        }
        return source
    }
}
