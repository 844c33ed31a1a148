public import Captions
import ContentHashing
import ExactTime
public import ExportPlan
import Lettering
public import Media
public import Operations

/// A source that is no media: read and checked as a whole. The probe reads it to know what it is, the compositor to use it.
public enum Document: Sendable {
    case lookupTable(LookupTable)
    case captions(CaptionFile)
    case font

    /// Bytes of one file at most: a cube of 129 points, each of them 60 bytes, and more captions than a day has seconds.
    static let tableBytes = 128 << 20
    static let captionBytes = 8 << 20
    /// Those with all of Chinese have 20 MB.
    static let fontBytes = 64 << 20

    /// - Returns: nil when the file begins like none of these.
    /// - Throws: `MediaError`: see `SourceFile`; `damaged`, with the line, or `overLimit`.
    public init?(ofFile path: String) throws(MediaError) { try self.init(try SourceFile(path: path)) }

    /// A source, from the file that the job has open.
    /// - Returns: nil when the file begins like none of these.
    /// - Throws: as `init(ofFile:)`.
    public init?(_ source: SourceReference) throws(MediaError) { try self.init(try SourceFile(source)) }

    private init?(_ file: SourceFile) throws(MediaError) {
        guard let (kind, bytes) = try Document.bytes(of: file) else { return nil }
        self = try Document.read(kind, bytes, file.path)
    }

    /// What a probe finds out.
    /// - Throws: as `init`; `changed` when somebody wrote to the file meanwhile.
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
            audio: nil, document: kind.document, identity: file.identity)
    }

    /// The first bytes say what it is.
    private static let headBytes = 8192

    private static func bytes(of file: SourceFile) throws(MediaError) -> (DocumentSignature, [UInt8])? {
        guard let kind = DocumentSignature(try file.head(headBytes)) else { return nil }
        guard file.byteCount <= kind.mostBytes else {
            throw MediaError(
                .overLimit, subject: file.path,
                message: "has \(file.byteCount) bytes; files of this kind are read up to \(kind.mostBytes)")
        }
        return (kind, try file.bytes())
    }

    private static func read(_ kind: DocumentSignature, _ bytes: [UInt8], _ path: String) throws(MediaError) -> Document {
        switch kind {
        case .font:
            do throws(LetteringError) {
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
                throw MediaError(.damaged, subject: path, message: "is no valid lookup table: \(error.message)")
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
    fileprivate var document: DocumentKind {
        switch self {
        case .cube: .lookupTable
        case .captions: .captions
        case .font: .font
        }
    }

    /// Of one file.
    fileprivate var mostBytes: Int {
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
