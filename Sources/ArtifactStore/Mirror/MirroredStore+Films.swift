import BlockingWork
import ContentHashing
package import ExportPlan
import Glibc

/// A film that is like one that the bucket has already, for example because one clip of its draft was changed: the bytes
/// that they share are copied within the bucket, and only the others are sent.
///
/// The earlier film is found by a segment: the note of a film (`FilmNote`) lies beside the artifact of that segment of it
/// that has the smallest key. Two films with mostly the same segments mostly agree on it, whatever was inserted, removed
/// or changed. Where they do not, or the earlier film is gone, everything is sent.
extension MirroredStore {
    /// Films with fewer bytes than two parts of an upload are sent whole, and films whose note would be too long.
    private static let sizes: ClosedRange<Int64> = 10 << 20...6 << 30

    /// Publishes a film that was made on this machine.
    /// - Parameter segments: the picture segments that it consists of.
    /// - Throws: `BlobError`.
    package func publish(film: ArtifactKey, tenant: Int64, segments: [ArtifactKey]) async throws {
        let name = try StoreNames.artifact(film, ofTenant: tenant)
        guard let segment = segments.min(by: { $0.text < $1.text }), let file = try await made(name),
            MirroredStore.sizes.contains(file.byteCount)
        else { return try await publish(film, tenant: tenant) }
        let note = try StoreNames.note(beside: segment, ofTenant: tenant)
        let chunks = try await chunks(of: file)
        var options = UploadOptions()
        options.shared = try await noted(in: note, for: film, tenant: tenant)?.shared(with: chunks)
        try await publish(film, tenant: tenant, options)
        withExtendedLifetime(file) {}
        try await write(film, name, chunks, in: note)
    }

    /// The blob and the note of an earlier film; nil where there is none. Only an upload depends on it, so an error means
    /// the same: a coordinator of an earlier version refuses workers without keys to read it.
    ///
    /// A film is never copied from itself: it is made again because its bytes are damaged. For the same reason a film
    /// without its record is none, because a reader has found it damaged.
    private func noted(in note: BlobName, for film: ArtifactKey, tenant: Int64) async throws -> NotedFilm? {
        do {
            guard let text = try await text(of: note), let earlier = FilmNote(text: text), earlier.film != film,
                try await warnings(ofStored: earlier.film, tenant: tenant) != nil
            else { return nil }
            return NotedFilm(blob: try StoreNames.artifact(earlier.film, ofTenant: tenant), note: earlier)
        } catch is BlobError {
            return nil
        }
    }

    /// Notes a film that was published. Where that fails, a later one is sent whole.
    private func write(
        _ film: ArtifactKey, _ name: BlobName, _ chunks: [ContentChunks.Chunk], in note: BlobName
    ) async throws {
        do {
            guard let info = try await blobs.info(of: name) else { return }
            let text = FilmNote(film: film, version: info.version, chunks: chunks).text
            guard text.utf8.count <= MirroredStore.longestText else { return }
            try await write(text, as: note, UploadOptions(contentType: "text/plain"))
        } catch is BlobError {
        }
    }

    /// The chunks of a file of this machine.
    private func chunks(of file: CachedFile) async throws -> [ContentChunks.Chunk] {
        let path = file.path
        do {
            return try await MirroredStore.reading.run(lane: 0) {
                let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                guard descriptor >= 0 else { throw ContentHash.ReadError(errno) }
                defer { close(descriptor) }
                return try ContentChunks.ofDescriptor(descriptor)
            }
        } catch let error as ContentHash.ReadError {
            throw BlobError(.cannotRead, subject: path, message: "cannot be read: \(error.reason)")
        } catch is BlockingPool.Full {
            throw BlobError(.unavailable, subject: path, message: "cannot be read now: too many files are read at a time")
        }
    }

    private static let reading = BlockingPool(name: "chunks", threads: 2, waiting: 1024, waitingPerLane: 1024)
}

/// A film of the bucket with its note.
private struct NotedFilm {
    var blob: BlobName
    var note: FilmNote

    /// The bytes that another film shares with it.
    func shared(with chunks: [ContentChunks.Chunk]) -> SharedBytes {
        SharedBytes(blob: blob, version: note.version, runs: note.runs(sharedWith: chunks))
    }
}
