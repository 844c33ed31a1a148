import Coordinator
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A finished film as a file, whole or in part.
struct FilmRoute {
    let store: any ExportStore
    let films: any FilmFiles
    private let files = FileIO()

    init(store: any ExportStore, films: any FilmFiles) {
        self.store = store
        self.films = films
    }

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("exports/:id/film", use: film)
        v1.head("exports/:id/film", use: film)
    }

    @Sendable private func film(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.sees) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        guard export.state == .completed, let key = export.filmKey else {
            throw RequestFault(.conflict, "the export has no film: it is \(export.state.rawValue)")
        }
        guard let path = try await films.film(key, tenant: export.tenant), let size = FilmRoute.size(of: path) else {
            throw RequestFault(.notFound, "the film is no longer in the farm's storage; rerun the export to have it again")
        }
        let tag = "\"\(key.text)\""
        var headers: HTTPFields = [.eTag: tag, .acceptRanges: "bytes", .contentType: FilmType.mediaType(of: path)]
        if request.headers[values: .ifNoneMatch].contains(tag) { return Response(status: .notModified, headers: headers) }
        var range = 0..<size
        var status = HTTPResponse.Status.ok
        if let asked = request.headers[.range], request.headers[.ifRange].map({ $0 == tag }) ?? true {
            switch ByteRange.read(asked, size: size) {
            case .part(let part):
                range = part
                status = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            case .outside:
                throw RequestFault(.badRange, "the film has \(size) bytes", headers: [.contentRange: "bytes */\(size)"])
            case .whole: break
            }
        }
        if request.method == .head || range.isEmpty {
            headers[.contentLength] = "\(range.count)"
            return Response(status: status, headers: headers)
        }
        let body = try await files.loadFile(path: path, range: range.lowerBound...(range.upperBound - 1), context: context)
        return Response(status: status, headers: headers, body: body)
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}

/// Which part of a file a `Range` header asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// A part that the file does not have.
    case outside

    /// Several ranges, other units and what cannot be read give the whole, as the RFC allows.
    static func read(_ header: String, size: Int) -> ByteRange {
        let parts = header.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == "bytes", !parts[1].contains(",") else { return .whole }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first >= 0 && last >= first:
            return first < size ? .part(first..<min(last, size - 1) + 1) : .outside
        case (let first?, nil) where first >= 0 && ends[1].isEmpty:
            return first < size ? .part(first..<size) : .outside
        case (nil, let count?) where count >= 0 && ends[0].isEmpty:
            return count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .outside
        default: return .whole
        }
    }
}
