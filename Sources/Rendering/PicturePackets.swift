import ArtifactStore
import ExactTime
import ExportPlan
import Media

/// The packets of all pieces under the film's frame numbers: presentation times become frame numbers, decoding times count packets, early
/// by the encoders' reordering delay. Checked on the way: parameter sets are equal, frames add up, no two share a number.
struct PicturePackets {
    private let plan: StitchPlan
    private let pieces: [FilmPiece]
    private let sources: JobSources
    private let store: any ArtifactStore
    private var reader: any PictureReader
    private var parameterSets: [UInt8] = []
    private var index = 0
    /// The film's number of the current piece's first frame.
    private var firstFrame = 0
    /// Frames of the current piece that were copied.
    private var copied = 0
    private var seen: Set<Int64> = []
    private var packet: Packet?
    /// Frames by which decoding runs ahead of presentation.
    private let delay: Int64
    private(set) var frames = 0

    /// - Parameter pieces: at least one.
    init(
        _ plan: StitchPlan, _ pieces: [FilmPiece], _ sources: JobSources, _ store: any ArtifactStore
    ) throws {
        self.plan = plan
        self.pieces = pieces
        self.sources = sources
        self.store = store
        let isSpliced = plan.copied != nil
        reader = try PicturePackets.open(pieces[0], isSpliced, sources, store)
        if let segment = reader as? PacketReader { parameterSets = segment.parameterSets }
        packet = try reader.nextPacket()
        let ticks = reader.timeBase
        delay =
            isSpliced
            ? PicturePackets.longestDelay
            : packet.map { first in
                let early = Rational(first.presentationTicks - first.decodingTicks, 1)
                return Int64((early * ticks * plan.frameRate.framesPerSecond).rounded)
            } ?? 0
    }

    /// As many pictures as any decoder of H.264 or HEVC keeps: what other encoders do is not known before all is read.
    private static let longestDelay: Int64 = 16

    private static func open(
        _ piece: FilmPiece, _ isSpliced: Bool, _ sources: JobSources, _ store: any ArtifactStore
    ) throws -> any PictureReader {
        switch piece {
        case .encoded(let segment):
            let path = try artifact(segment.key, in: store)
            let reader = try PacketReader(path: path)
            return isSpliced ? try SplicedReader(reader, path: path) : reader
        case .copied(let stretch):
            let source = try sources.byHash.copied(stretch)
            return try SplicedReader(
                try StretchReader(source, .video, stretch.sourceRange, damage: sources.damage), path: source.path)
        }
    }

    func addTrack(to writer: MovieWriter) throws {
        if let encoded = reader as? PacketReader {
            return try writer.add(copying: encoded, .video, timeBase: plan.frameRate.frameDuration.seconds)
        }
        func first(encoded: Bool) throws -> SplicedReader? {
            let piece = pieces.first { $0.isEncoded == encoded }
            return try piece.map { try PicturePackets.open($0, true, sources, store) } as? SplicedReader
        }
        guard let copied = try first(encoded: false) else { return }
        try writer.add(splicing: copied, try first(encoded: true), plan.frameRate)
    }

    /// Seconds at which the next packet is decoded.
    var nextTime: Double? {
        packet == nil ? nil : plan.frameRate.time(ofFrame: firstFrame + copied).doubleValue
    }

    mutating func copyNext(to writer: MovieWriter) throws {
        guard let packet else { return }
        let frame = (Rational(packet.presentationTicks, 1) * reader.timeBase * plan.frameRate.framesPerSecond).rounded
        let isShown = reader.isShown(packet)
        let isInPlace = frame >= 0 && frame < pieces[index].frameCount
        guard isInPlace, !isShown || seen.insert(Int64(frame)).inserted else { throw wrong("has a frame out of place") }
        try packet.copy(
            to: writer, track: .video, presentation: Int64(firstFrame + frame), decoding: Int64(firstFrame + copied) - delay,
            duration: 1)
        if isShown {
            copied += 1
            frames += 1
        }
        self.packet = try reader.nextPacket()
        if self.packet == nil { try advance() }
    }

    private mutating func advance() throws {
        let count = pieces[index].frameCount
        guard copied == count else { throw wrong("holds \(copied) frames instead of \(count)") }
        index += 1
        firstFrame += copied
        copied = 0
        seen = []
        guard index < pieces.count else { return }
        reader = try PicturePackets.open(pieces[index], plan.copied != nil, sources, store)
        if let segment = reader as? PacketReader, segment.parameterSets != parameterSets {
            throw wrong("was encoded with other parameter sets", isDamaged: false)
        }
        packet = try reader.nextPacket()
    }

    private func wrong(_ segment: StitchSegment, _ message: String, isDamaged: Bool) -> JobFailure {
        if isDamaged { store.discard(segment.key) }
        return JobFailure(.crash, subject: segment.key.text, message: message, missingArtifacts: isDamaged ? [segment.key] : [])
    }

    /// - Parameter isDamaged: whether it may be right when it is rendered again.
    private func wrong(_ message: String, isDamaged: Bool = true) -> any Error {
        switch pieces[index] {
        case .encoded(let segment):
            wrong(segment, message, isDamaged: isDamaged)
        case .copied(let stretch):
            MediaError(
                .damaged, subject: sources.byHash[stretch.source]?.path ?? stretch.source,
                message: "\(message) where it is copied")
        }
    }
}

/// What packets of pictures come from.
private protocol PictureReader {
    /// Seconds per tick of their times.
    var timeBase: Rational { get }

    /// Whether a picture comes out for a packet.
    func isShown(_ packet: Packet) -> Bool

    /// - Returns: valid until the following call; nil at the end.
    func nextPacket() throws -> Packet?
}

extension PacketReader: PictureReader {
    func isShown(_ packet: Packet) -> Bool { true }

    func nextPacket() throws -> Packet? { try next() }
}

extension SplicedReader: PictureReader {
    func nextPacket() throws -> Packet? { try next() }
}

extension [String: SourceReference] {
    /// The source of a stretch.
    func copied(_ stretch: CopiedStretch) throws -> SourceReference {
        guard let source = self[stretch.source] else {
            throw MediaError(.missing, subject: stretch.source, message: "is not among the sources of this job")
        }
        return source
    }
}
