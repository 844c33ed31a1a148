import ArtifactStore
import BlockingWork
import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import Glibc
import HTTPClient
import S3Store
import Vocabulary
import FoundationEssentials

/// Sends one film to its destination, with the pictures beside it before and the manifest, where that is wanted, after it.
/// It may be repeated: the names are the same each time, and a file appears whole or not at all.
struct DestinationUpload: Sendable {
    let destination: Destination
    let film: OutgoingFilm
    /// The farm's films and the pictures beside them.
    let films: any FilmFiles
    let http: Connections
    /// Threads that hash and copy files.
    let work: BlockingPool

    /// - Parameter path: the film's file.
    /// - Returns: what the destination has, the film first.
    /// - Throws: `PublicationFault` or `CancellationError`.
    func send(_ path: String) async throws -> [Publication.File] {
        let open = try OpenFilm(path)
        let mediaType = open.mediaType
        let name = destination.key.name(for: film, fileExtension: open.fileExtension)
        var beside: [Publication.File] = []
        for picture in film.pictures?.files(beside: name, open.container) ?? [] {
            beside.append(try await send(picture))
        }
        let address = try await put(open, as: name, mediaType: destination.contentType ?? mediaType)
        let sent = Publication.File(address: address, byteCount: open.byteCount, sha256: try await hash(of: open))
        guard destination.hasManifest else { return [sent] + beside }
        let content = FilmManifest(film, sent, mediaType: mediaType, pictures: beside)
        let manifest = Array(try FarmJSON.encode(content, indented: true))
        let place = try await put(manifest, as: name + ".json", mediaType: "application/json")
        return [sent] + beside
            + [Publication.File(address: place, byteCount: Int64(manifest.count), sha256: ContentHash.of(manifest))]
    }

    private func send(_ picture: FilmPictures.File) async throws -> Publication.File {
        switch picture.content {
        case .artifact(let key):
            guard let path = try await films.film(key, tenant: film.tenant) else {
                throw PublicationFault(
                    "a picture beside the film is no longer in the farm's store; rerun the export to have it again", isFinal: true
                )
            }
            let open = try OpenFilm(path)
            let address = try await put(open, as: picture.name, mediaType: picture.mediaType)
            return Publication.File(address: address, byteCount: open.byteCount, sha256: try await hash(of: open))
        case .text(let text):
            let bytes = Array(text.utf8)
            let address = try await put(bytes, as: picture.name, mediaType: picture.mediaType)
            return Publication.File(address: address, byteCount: Int64(bytes.count), sha256: ContentHash.of(bytes))
        }
    }

    private func hash(of open: OpenFilm) async throws -> String {
        try await work.run(lane: film.tenant) {
            do throws(ContentHash.ReadError) {
                return try ContentHash.ofDescriptor(open.descriptor).hash
            } catch {
                throw PublicationFault("the film cannot be read from the farm's store: \(error.reason)")
            }
        }
    }

    /// - Returns: where the file is now.
    private func put(_ file: OpenFilm, as name: String, mediaType: String) async throws -> String {
        defer { withExtendedLifetime(file) {} }
        switch destination.place {
        case .bucket(let blobs):
            let blob = try blobName(name)
            return try await storing(blobs, blob) { try await blobs.upload(file.path, as: blob, options(mediaType)) }
        case .directory(let root):
            let target = try DirectoryTarget(root: root, name: name)
            try await work.run(lane: film.tenant) { try target.copy(file) }
            return target.path
        case .address(let base, let headers):
            return try await request(
                base, name, headers, mediaType, .file(path: file.path, byteCount: file.byteCount))
        }
    }

    private func put(_ bytes: [UInt8], as name: String, mediaType: String) async throws -> String {
        switch destination.place {
        case .bucket(let blobs):
            let blob = try blobName(name)
            return try await storing(blobs, blob) {
                let upload = try await blobs.beginUpload(as: blob, options(mediaType))
                try await upload.write(bytes)
                return try await upload.finish()
            }
        case .directory(let root):
            let target = try DirectoryTarget(root: root, name: name)
            try await work.run(lane: film.tenant) { try target.write(bytes) }
            return target.path
        case .address(let base, let headers):
            return try await request(base, name, headers, mediaType, .bytes(bytes))
        }
    }

    // MARK: Buckets

    private func options(_ mediaType: String) -> UploadOptions {
        UploadOptions(
            contentType: mediaType, cacheControl: destination.cacheControl,
            metadata: destination.metadata.mapValues { template in
                // Services take ASCII only.
                String(template.name(for: film, fileExtension: "").map { $0.isASCII ? $0 : "-" })
            })
    }

    private func blobName(_ name: String) throws(PublicationFault) -> BlobName {
        guard let blob = BlobName(name) else {
            throw PublicationFault("'\(name)' cannot be the key of an object; change the template of the destination")
        }
        return blob
    }

    private func storing(_ blobs: S3Blobs, _ name: BlobName, _ body: () async throws -> Bool) async throws -> String {
        do {
            _ = try await body()
            return "\(blobs.settings.description)/\(name)"
        } catch let error as BlobError {
            throw PublicationFault("'\(error.subject)' \(error.message)")
        }
    }

    // MARK: Addresses

    private func request(
        _ base: String, _ name: String, _ headers: [String: String], _ mediaType: String, _ body: OutgoingRequest.Body
    ) async throws -> String {
        let address = base + name.percentEncoded(keeping: "/")
        var request = OutgoingRequest("PUT", address, headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        request.setHeader("Content-Type", mediaType)
        if let cacheControl = destination.cacheControl { request.setHeader("Cache-Control", cacheControl) }
        request.body = body
        do {
            let response = try await http.execute(request)
            // The status decides, so that an answer that breaks off does no harm.
            let answer = try? await response.body.collect(upTo: 16 << 10)
            guard !(200...299).contains(response.status) else { return address }
            let words = String(decoding: (answer ?? []).prefix(300), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            throw PublicationFault(
                "the server answered \(response.status)" + (words.isEmpty ? "" : ": \(words)")
                    + ((300...399).contains(response.status) ? " (redirects are not followed)" : ""))
        } catch let error as TransferError {
            throw PublicationFault("the film could not be sent: \(error.message)")
        }
    }
}
