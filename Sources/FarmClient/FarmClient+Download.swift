import ArtifactStore
import ExportPlan
package import FarmAPI
import HTTPClient
import Vocabulary
package import FoundationEssentials

/// Downloads of the farm's files. A file grows under a hidden name beside its final place and is renamed when it is
/// complete. After a broken connection the download continues where it stopped.
extension FarmClient {
    /// Downloads a finished film.
    /// - Parameters:
    ///   - replacing: whether a file that exists when the film is complete is replaced.
    ///   - progress: called with the number of bytes so far and in all.
    /// - Returns: the number of bytes.
    /// - Throws: `ClientFailure`, or `OutputCheck.Fault` when the file cannot be renamed to its output.
    package func download(
        _ id: ExportID, to path: String, replacing: Bool = true, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        try await download("/v1/exports/\(id)/film", to: path, replacing, progress)
    }

    /// Downloads the pictures beside a finished film, and writes the index of its sprites.
    /// - Parameters:
    ///   - film: the path of the film. The names of the other files begin with it.
    ///   - replacing: whether files that exist when a picture is complete are replaced.
    /// - Returns: the paths of the files; empty where the export has no pictures.
    /// - Throws: the same errors as `download`.
    package func downloadPictures(of id: ExportID, beside film: String, replacing: Bool = true) async throws -> [String] {
        guard let pictures = try await export(id).pictures else { return [] }
        let files = pictures.files(beside: film)
        for (file, own) in zip(files, pictures.files()) {
            switch file.content {
            case .artifact:
                let location = "/v1/exports/\(id)/pictures/\(own.name.percentEncoded())"
                _ = try await download(location, to: file.name, replacing) { _, _ in }
            case .text(let text):
                let partial = PartialFile(of: file.name)
                defer { partial.remove() }
                try partial.write(Data(text.utf8))
                try partial.complete(replacing: replacing)
            }
        }
        return files.map(\.name)
    }

    /// Asks how a finished film was made.
    /// - Parameter name: the name of the film's file, without a folder; the files beside it get theirs from it.
    /// - Returns: the provenance, a JSON document.
    package func provenance(of id: ExportID, named name: String) async throws -> Data {
        try await newer("say how a film was made") {
            try await exchange("GET", "/v1/exports/\(id)/provenance", query: [("name", name)])
        }
    }

    /// Downloads an asset.
    /// - Parameters:
    ///   - hash: the asset's sha256.
    ///   - replacing: whether a file that exists when the asset is complete is replaced.
    /// - Returns: the number of bytes.
    /// - Throws: `ClientFailure` with the code `file` when the bytes have another hash, and then the file is removed;
    ///   `OutputCheck.Fault` when the file cannot be renamed to its output.
    package func downloadAsset(
        _ hash: String, to path: String, replacing: Bool = true, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        try await download("/v1/assets/\(hash.percentEncoded())", to: path, replacing, progress) { file in
            let found = try await file.hash()
            guard found == hash else {
                throw ClientFailure(
                    .file,
                    "asset '\(hash)' arrived damaged, with the sha256 \(found): the farm's storage or the connection changes bytes"
                )
            }
        }
    }

    /// - Parameter check: verifies the complete file before it is renamed.
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
            var request = request("GET", location)
            if done > 0, let tag {
                request.setHeader("Range", "bytes=\(done)-")
                request.setHeader("If-Range", tag)
            }
            let response = try await http.execute(request)
            guard response.status == 200 || response.status == 206 else {
                let data = Data(try await response.body.collect(upTo: 1 << 20))
                return try check(response, data)
            }
            if response.status == 200 {
                done = 0
                try await file.clear()
            }
            let length = response.header("Content-Length").flatMap(Int.init)
            total = done + (length ?? 0)
            tag = response.header("ETag")
            for try await bytes in response.body {
                try await file.write(bytes)
                done += bytes.count
                progress(done, total)
            }
            guard length == nil || done == total else { throw TransferError(.connectionClosed, "the connection ended too early") }
        }
        return done
    }
}
