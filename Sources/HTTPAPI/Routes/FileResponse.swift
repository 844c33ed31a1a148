import CDispatch
import ArtifactStore
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Glibc

/// A file of the farm that is sent to a client: whole, in part, or not at all where the client has it already.
struct FileResponse {
    private enum Content {
        case file(String)
        case bytes([UInt8])
    }

    private let content: Content
    /// Identifies the bytes, without quotation marks: different bytes have different tags.
    private let tag: String
    /// The size in bytes.
    let size: Int

    /// - Returns: nil when there is no file.
    /// - Throws: `ArtifactError` when that cannot be found out.
    init?(_ path: String, tag: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(String(cString: strerror(errno)))")
            }
            return nil
        }
        // A link, a pipe or a device at the path of the file counts as missing.
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        content = .file(path)
        self.tag = tag
        size = Int(status.st_size)
    }

    /// A file that is made when it is asked for.
    init(bytes: [UInt8], tag: String) {
        content = .bytes(bytes)
        self.tag = tag
        size = bytes.count
    }

    /// Evaluates preconditions in the order of RFC 9110, section 13.2.2.
    /// - Parameters:
    ///   - name: what messages call the file.
    ///   - mediaType: nil for that of the film that the file is.
    /// - Throws: `RequestFault` `preconditionFailed`, `badRange`.
    func response(
        to request: Request, _ name: String, mediaType: String? = nil, _ context: FarmRequestContext
    ) async throws -> Response {
        var headers: HTTPFields = [
            .eTag: "\"\(tag)\"", .acceptRanges: "bytes", .contentType: mediaType ?? ownMediaType,
        ]
        if let wanted = request.entityTags(.ifMatch), !wanted.matchesStrongly(tag) {
            throw RequestFault(
                .preconditionFailed, "\(name) has changed: its ETag does not match If-Match and is \"\(tag)\"",
                headers: [("ETag", "\"\(tag)\"")])
        }
        if let known = request.entityTags(.ifNoneMatch), known.matchesWeakly(tag) {
            return Response(status: .notModified, headers: headers)
        }
        var range = 0..<size
        var status = HTTPResponse.Status.ok
        // There is no Last-Modified date, so a date in If-Range never matches.
        if let asked = request.headers[.range], request.entityTags(.ifRange)?.matchesStrongly(tag) ?? true {
            switch ByteRange.read(asked, size: size) {
            case .part(let part):
                range = part
                status = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            case .outside:
                throw RequestFault(.badRange, "\(name) has \(size) bytes", headers: [("Content-Range", "bytes */\(size)")])
            case .whole: break
            }
        }
        if request.method == .head || range.isEmpty {
            headers[.contentLength] = "\(range.count)"
            return Response(status: status, headers: headers)
        }
        let body: ResponseBody =
            switch content {
            case .file(let path):
                try await FileIO().loadFile(path: path, range: range.lowerBound...(range.upperBound - 1), context: context)
            case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[range]))
            }
        return Response(status: status, headers: headers, body: body)
    }

    private var ownMediaType: String {
        switch content {
        case .file(let path): FilmType.mediaType(of: path)
        case .bytes: "application/octet-stream"
        }
    }
}
