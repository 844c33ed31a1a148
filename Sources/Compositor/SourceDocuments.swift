import Captions
import Documents
import ExactTime
import ExportPlan
import Media
import Operations

/// The lookup tables and captions that one instruction's layers read, each file read once.
final class SourceDocuments {
    private let sources: [String: SourceReference]
    private var tables: [String: LookupTable] = [:]
    private var captions: [String: CaptionFile] = [:]

    /// - Parameter sources: by content hash.
    init(sources: [String: SourceReference]) {
        self.sources = sources
    }

    /// The tables that these operations read, by content hash; the file of a plug-in is none.
    /// - Throws: `MediaError` when a file is not there or is no table.
    func tables(for operations: [Operation]) throws(MediaError) -> [String: LookupTable] {
        var result: [String: LookupTable] = [:]
        for operation in operations where operation.plugin == nil {
            if let hash = operation.source { result[hash] = try table(hash) }
        }
        return result
    }

    /// - Throws: `MediaError` when the file is not there or holds no captions.
    func captionFile(_ hash: String) throws(MediaError) -> (file: CaptionFile, path: String) {
        let source = try source(hash)
        if let known = captions[hash] { return (known, source.path) }
        guard case .captions(let read)? = try Document(source) else {
            throw MediaError(.unknownFormat, subject: source.path, message: "is no file of captions")
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

    /// A picture's samples are its table: nothing is turned or scaled.
    private func table(inPicture source: SourceReference) throws(MediaError) -> LookupTable {
        guard let video = source.facts.video else {
            throw MediaError(.unknownFormat, subject: source.path, message: "is no lookup table")
        }
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
