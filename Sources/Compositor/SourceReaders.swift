import ExportPlan
import Lettering
import Media

/// The open sources of one instruction: layers that show the same stretch of a source (a clip and its own blurred
/// background) share one reader, and all readers that play backwards share one budget for what they keep.
final class SourceReaders {
    private struct Use: Hashable {
        var source: String
        var timing: SourceTiming?
    }

    /// Decoded frames that may be kept for playing backwards, in bytes, over all readers.
    private static let backwardBudget = 32 << 20

    private let sources: [String: SourceReference]
    private let damage: DamageLog?
    private let backwardBudget: Int
    private var readers: [Use: FrameReader] = [:]
    private var fonts: FontLibrary?

    /// - Parameters:
    ///   - sources: by content hash.
    ///   - damage: is told what of the sources is not as it should be.
    init(_ layers: [Layer], sources: [String: SourceReference], damage: DamageLog?) {
        self.sources = sources
        self.damage = damage
        let backwards = Set(
            layers.flatMap(\.playedSources).filter { $0.timing.isReversed }.map { Use(source: $0.source, timing: $0.timing) })
        backwardBudget = SourceReaders.backwardBudget / max(1, backwards.count)
    }

    /// - Throws: `MediaError` `missing` when the job brings no such source.
    func source(_ hash: String) throws(MediaError) -> SourceReference {
        guard let source = sources[hash] else {
            throw MediaError(.missing, subject: hash, message: "is not among the sources of this job")
        }
        return source
    }

    /// The reader for a stretch of a source; nil timing is a still.
    func reader(_ hash: String, _ timing: SourceTiming?) throws(MediaError) -> FrameReader {
        let use = Use(source: hash, timing: timing)
        if let open = readers[use] { return open }
        let reader = try FrameReader(try source(hash), backwardBudget: backwardBudget, damage: damage)
        readers[use] = reader
        return reader
    }

    /// This machine's fonts and those of the draft, which came with the job.
    /// - Throws: `MediaError` when they cannot be set up.
    func fontLibrary() throws(MediaError) -> FontLibrary {
        if let fonts { return fonts }
        let own = sources.values.filter { $0.facts.document == .font }
        // Libraries take a font that cannot be read for a damaged one.
        for font in own { _ = try SourceFile(font).bytes() }
        let files = own.map(\.path).sorted()
        do throws(LetteringError) {
            let library = try FontLibrary(files: files)
            fonts = library
            return library
        } catch {
            throw MediaError(error)
        }
    }

    /// Time spent reading and decoding so far.
    var decodingTime: Duration { readers.values.reduce(.zero) { $0 + $1.decodingTime } }
}
