import AsyncHTTPClient
public import Coordinator
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files of the farm on their way here. A file grows hidden beside its place and is moved there when it is whole; a connection
/// that breaks is taken up again where it broke.
extension FarmClient {
    /// Fetches a finished film.
    /// - Parameters:
    ///   - replacing: whether a file that is there when the film is complete is replaced.
    ///   - progress: told the bytes so far and in all.
    /// - Returns: the number of bytes.
    /// - Throws: `ClientFailure`, or `OutputCheck.Fault` where the file cannot have its name.
    public func download(
        _ id: ExportID, to path: String, replacing: Bool = true, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        try await download("/v1/exports/\(id)/film", to: path, replacing, progress)
    }

    /// Fetches an asset.
    /// - Parameters:
    ///   - hash: its sha256.
    ///   - replacing: whether a file that is there when the asset is complete is replaced.
    /// - Returns: the number of bytes.
    /// - Throws: `ClientFailure` `file` where other bytes have come, and nothing is left of them; `OutputCheck.Fault` where the file cannot
    ///   have its name.
    public func downloadAsset(
        _ hash: String, to path: String, replacing: Bool = true, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        try await download("/v1/assets/\(FarmClient.escaped(hash))", to: path, replacing, progress) { file in
            let found = try await file.hash()
            guard found == hash else {
                throw ClientFailure(
                    .file,
                    "asset '\(hash)' comes damaged, as \(found): the farm's storage, or something on the way, changes bytes")
            }
        }
    }

    /// - Parameter check: looks at the whole file before it gets its name.
    private func download(
        _ location: String, to path: String, _ replacing: Bool, _ progress: (Int, Int) -> Void,
        check: (DownloadFile) async throws -> Void = { _ in }
    ) async throws -> Int {
        let file = DownloadFile(of: path)
        try await file.open()
        do {
            let count = try await fetch(location, into: file, progress)
            try await check(file)
            try await file.complete(replacing: replacing)
            await file.end()
            return count
        } catch {
            await file.end()
            throw error
        }
    }

    private func fetch(_ location: String, into file: DownloadFile, _ progress: (Int, Int) -> Void) async throws -> Int {
        var done = 0
        var total = 0
        var tag: String?
        try await repeating(true) {
            var request = request(.GET, location)
            if done > 0, let tag {
                request.headers.add(name: "Range", value: "bytes=\(done)-")
                request.headers.add(name: "If-Range", value: tag)
            }
            let response = try await http.execute(request, deadline: .distantFuture)
            guard response.status == .ok || response.status == .partialContent else {
                let buffer = try await response.body.collect(upTo: 1 << 20)
                return try check(response, Data(buffer.readableBytesView))
            }
            if response.status == .ok {
                done = 0
                try await file.clear()
            }
            let length = response.headers.first(name: "Content-Length").flatMap(Int.init)
            total = done + (length ?? 0)
            tag = response.headers.first(name: "ETag")
            for try await buffer in response.body {
                try await file.write(buffer)
                done += buffer.readableBytes
                progress(done, total)
            }
            guard length == nil || done == total else { throw HTTPClientError.remoteConnectionClosed }
        }
        return done
    }
}
