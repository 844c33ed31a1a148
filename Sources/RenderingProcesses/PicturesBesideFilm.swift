import ArtifactStore
package import ExportPlan
import FoundationEssentials
import Vocabulary

/// The pictures beside a local film, on their way from the cache to their places.
struct PicturesBesideFilm {
    private let files: [(file: FilmPictures.File, partial: PartialFile)]

    /// - Parameter film: the film's path.
    init(_ plan: RenderPlan, beside film: String) {
        files = plan.files(beside: film).map { ($0, PartialFile(of: $0.name)) }
    }

    /// Writes the files under hidden names.
    /// - Throws: `OutputCheck.Fault`, `ArtifactError`, or `JobFailure` where a picture is gone from the cache.
    func write(from store: any ArtifactStore) throws {
        for (file, partial) in files {
            partial.removeLeftovers()
            try partial.write(try bytes(of: file.content, store))
        }
    }

    /// Gives the files their names.
    func complete(replacing: Bool) throws(OutputCheck.Fault) {
        for (_, partial) in files { try partial.complete(replacing: replacing) }
    }

    /// Removes what has no name yet.
    func remove() {
        for (_, partial) in files { partial.remove() }
    }

    private func bytes(of content: FilmPictures.File.Content, _ store: any ArtifactStore) throws -> Data {
        switch content {
        case .text(let text): return Data(text.utf8)
        case .artifact(let key):
            guard let path = try store.localFile(for: key) else {
                throw JobFailure(
                    .storage, subject: key.text,
                    message: "is gone from the cache, which another process has changed; start the export again")
            }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }
}

extension RenderPlan {
    /// The files that a local export writes beside the film; empty where it has no pictures.
    /// - Parameter film: the film's path.
    package func files(beside film: String) -> [FilmPictures.File] {
        pictures?.pictures.files(beside: film, stitch.container.fileType.format) ?? []
    }
}
