import ArtifactStore
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file of the farm on its way to a client: whole or in part, or not at all where the client has it.
struct SentFile {
    private let path: String
    /// Names the bytes, without quotation marks: other bytes have another one.
    private let tag: String
    private let size: Int

    /// - Returns: nil where no file is there.
    /// - Throws: `ArtifactError` where that cannot be found out.
    init?(_ path: String, tag: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw ArtifactError(.cannotRead, subject: path, message: "cannot be read: \(String(cString: strerror(errno)))")
            }
            return nil
        }
        self.path = path
        self.tag = tag
        size = Int(status.st_size)
    }

    /// Preconditions are looked at in the order of RFC 9110, section 13.2.2.
    /// - Parameter name: what messages call it.
    /// - Throws: `RequestFault` `preconditionFailed`, `badRange`.
    func response(to request: Request, _ name: String, _ context: FarmRequestContext) async throws -> Response {
        var headers: HTTPFields = [.eTag: "\"\(tag)\"", .acceptRanges: "bytes", .contentType: FilmType.mediaType(of: path)]
        if let wanted = tags(request, .ifMatch), !wanted.matchesStrongly(tag) {
            throw RequestFault(
                .preconditionFailed, "\(name) is another one than If-Match names: its ETag is \"\(tag)\"",
                headers: [.eTag: "\"\(tag)\""])
        }
        if let known = tags(request, .ifNoneMatch), known.matchesWeakly(tag) {
            return Response(status: .notModified, headers: headers)
        }
        var range = 0..<size
        var status = HTTPResponse.Status.ok
        // There is no date of last change, so that a date in If-Range never holds.
        if let asked = request.headers[.range], tags(request, .ifRange)?.matchesStrongly(tag) ?? true {
            switch ByteRange.read(asked, size: size) {
            case .part(let part):
                range = part
                status = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            case .outside:
                throw RequestFault(.badRange, "\(name) has \(size) bytes", headers: [.contentRange: "bytes */\(size)"])
            case .whole: break
            }
        }
        if request.method == .head || range.isEmpty {
            headers[.contentLength] = "\(range.count)"
            return Response(status: status, headers: headers)
        }
        let body = try await FileIO().loadFile(path: path, range: range.lowerBound...(range.upperBound - 1), context: context)
        return Response(status: status, headers: headers, body: body)
    }

    /// The tags that a header names; nil where the request has no such header.
    private func tags(_ request: Request, _ header: HTTPField.Name) -> EntityTags? {
        let lines = request.headers[values: header]
        return lines.isEmpty ? nil : EntityTags(lines)
    }
}
