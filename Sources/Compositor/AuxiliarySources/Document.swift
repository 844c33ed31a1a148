package import TextRendering
import ContentHashing
import ExactTime
package import ExportPlan
package import Media
package import Operations

/// An auxiliary source, read and checked as a whole. The probe reads it to find out what it is, and the compositor
/// reads it to use it.
package enum Document: Sendable {
    case lookupTable(LookupTable)
    case captions(CaptionFile)
    case font

    /// The largest size of a file in bytes. A cube of 129 points per axis fits with 60 bytes for each point, and
    /// captions fit for more than one per second of a day.
    package static let tableBytes = 128 << 20
    package static let captionBytes = 8 << 20
    /// Fonts with all Chinese characters have about 20 MB.
    package static let fontBytes = 64 << 20

    /// - Returns: nil if the file's beginning matches none of these kinds.
    /// - Throws: `MediaError` as in `SourceFile`; `damaged` with the line number, or `overLimit`.
    package init?(ofFile path: String) throws(MediaError) { try self.init(try SourceFile(path: path)) }

    /// Reads a source from the file that the job has open.
    /// - Returns: nil if the file's beginning matches none of these kinds.
    /// - Throws: as `init(ofFile:)`.
    package init?(_ source: SourceReference) throws(MediaError) { try self.init(try SourceFile(source)) }

    private init?(_ file: SourceFile) throws(MediaError) {
        guard let (kind, bytes) = try Document.bytes(of: file) else { return nil }
        self = try Document.read(kind, bytes, file.path)
    }

    /// The facts that a probe reports.
    /// - Throws: as `init`; `changed` if the file was written to meanwhile.
    static func facts(of file: SourceFile) throws(MediaError) -> SourceFacts? {
        guard let (kind, bytes) = try bytes(of: file) else { return nil }
        do throws(MediaError) {
            _ = try read(kind, bytes, file.path)
        } catch {
            try file.checkUnchanged()
            throw error
        }
        try file.checkUnchanged()
        return SourceFacts(
            contentHash: ContentHash.of(bytes), byteCount: bytes.count, container: kind.container, origin: .zero, video: nil,
            audio: nil, auxiliaryKind: kind.auxiliaryKind, identity: file.identity)
    }

    /// How many bytes from the start of the file decide its kind.
    private static let headBytes = 8192

    private static func bytes(of file: SourceFile) throws(MediaError) -> (DocumentSignature, [UInt8])? {
        guard let kind = DocumentSignature(try file.head(headBytes)) else { return nil }
        guard file.byteCount <= kind.maximumByteCount else {
            throw MediaError(
                .overLimit, subject: file.path,
                message: "has \(file.byteCount) bytes; files of this kind are read up to \(kind.maximumByteCount)")
        }
        return (kind, try file.bytes())
    }

    private static func read(_ kind: DocumentSignature, _ bytes: [UInt8], _ path: String) throws(MediaError) -> Document {
        switch kind {
        case .font:
            do throws(TextRenderingError) {
                _ = try FontLibrary(directories: [], files: [path])
                return .font
            } catch {
                throw MediaError(.damaged, subject: path, message: error.message)
            }
        case .cube:
            let text = try SourceText.decode(bytes, path)
            do throws(OperationError) {
                return .lookupTable(try CubeFile.table(from: text.utf8, subject: path))
            } catch {
                throw MediaError(
                    .damaged, subject: path,
                    message: "is not a valid lookup table: \(error.message); export it again from the program that made it")
            }
        case .captions(let format):
            let text = try SourceText.decode(bytes, path)
            do throws(CaptionError) {
                return .captions(try CaptionFile(text, format, subject: path))
            } catch {
                throw MediaError(error.code == .overLimit ? .overLimit : .damaged, subject: path, message: error.message)
            }
        }
    }
}

extension DocumentSignature {
    fileprivate var auxiliaryKind: AuxiliarySourceKind {
        switch self {
        case .cube: .lookupTable
        case .captions: .captions
        case .font: .font
        }
    }

    /// The largest size of a file of this kind in bytes.
    fileprivate var maximumByteCount: Int {
        switch self {
        case .cube: Document.tableBytes
        case .captions: Document.captionBytes
        case .font: Document.fontBytes
        }
    }

    fileprivate var container: String {
        switch self {
        case .cube: "cube"
        case .font: "font"
        case .captions(let format): format.rawValue
        }
    }
}
