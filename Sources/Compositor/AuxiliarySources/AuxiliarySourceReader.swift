import TextRendering
import ExactTime
import ExportPlan
import Media
import Operations

/// The auxiliary sources that one instruction's layers read: lookup tables and captions. Each file is read once.
final class AuxiliarySourceReader {
    private let sources: [String: SourceReference]
    private var tables: [String: LookupTable] = [:]
    private var captions: [String: CaptionFile] = [:]

    /// - Parameter sources: by content hash.
    init(sources: [String: SourceReference]) {
        self.sources = sources
    }

    /// The tables that these operations read, by content hash. The source of a plug-in operation is the plug-in and no
    /// table.
    /// - Throws: `MediaError` when a file is missing or is not a lookup table.
    func tables(for operations: [Operation]) throws(MediaError) -> [String: LookupTable] {
        var result: [String: LookupTable] = [:]
        for operation in operations where operation.plugin == nil {
            if let hash = operation.source { result[hash] = try table(hash) }
        }
        return result
    }

    /// - Throws: `MediaError` when the file is missing or is not a caption file.
    func captionFile(_ hash: String) throws(MediaError) -> (file: CaptionFile, path: String) {
        let source = try source(hash)
        if let known = captions[hash] { return (known, source.path) }
        guard case .captions(let read)? = try Document(source) else {
            throw MediaError(
                .unknownFormat, subject: source.path, message: "is not a captions file; name an SRT, WebVTT or ASS file")
        }
        captions[hash] = read
        return (read, source.path)
    }

    private func table(_ hash: String) throws(MediaError) -> LookupTable {
        if let known = tables[hash] { return known }
        let source = try source(hash)
        let table =
            if source.facts.video == nil, case .lookupTable(let read)? = try Document(source) {
                read
            } else {
                try table(inPicture: source)
            }
        tables[hash] = table
        return table
    }

    /// Reads a lookup table from a picture. The picture's samples are the table, so it is neither rotated nor scaled, and
    /// its ICC profile is not used.
    private func table(inPicture source: SourceReference) throws(MediaError) -> LookupTable {
        guard let video = source.facts.video?.stored else {
            throw MediaError(
                .unknownFormat, subject: source.path,
                message: "is not a lookup table; name a .cube file, or a HaldCLUT or 512x512 lookup picture")
        }
        var source = source
        source.facts.video = video
        let picture = try FrameReader(source).frame(at: .zero)
        let rgba = try PictureScaler(subject: source.path).scale(
            picture, region: .whole, color: video.color, to: .rgba, size: picture.size)
        let plane = rgba.plane(0)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(plane.width * plane.height * 3)
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width { pixels += [row[4 * x], row[4 * x + 1], row[4 * x + 2]] }
        }
        do throws(OperationError) {
            return try LookupImage.table(
                width: plane.width, height: plane.height, pixels: pixels, subject: source.path)
        } catch {
            throw MediaError(.unknownFormat, subject: source.path, message: error.message)
        }
    }

    private func source(_ hash: String) throws(MediaError) -> SourceReference {
        guard let source = sources[hash] else {
            throw MediaError(.missing, subject: hash, message: "is not among the sources of this job")
        }
        return source
    }
}
