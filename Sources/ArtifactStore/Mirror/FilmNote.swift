import ContentHashing
import ExportPlan

/// The hashes of the chunks of a film in a bucket. A later film with mostly the same bytes is stored by copying them within
/// the bucket.
///
/// Its text is `spool film 1 KEY VERSION`, and `SIZE SHA256` for each chunk.
struct FilmNote: Hashable, Sendable {
    /// The film's name as an artifact.
    var film: ArtifactKey
    /// The version of its blob.
    var version: String
    /// In the film's order.
    var chunks: [ContentChunks.Chunk]

    private static let mark = "spool film 1"

    init(film: ArtifactKey, version: String, chunks: [ContentChunks.Chunk]) {
        self.film = film
        self.version = version
        self.chunks = chunks
    }

    /// - Returns: nil where the text is no note, or one of a newer format.
    init?(text: String) {
        let lines = text.split(separator: "\n")
        let title = lines.first?.split(separator: " ") ?? []
        guard title.count == 5, title[..<3].joined(separator: " ") == FilmNote.mark, StoredFiles.isName(String(title[3])) else {
            return nil
        }
        film = ArtifactKey(String(title[3]))
        version = String(title[4])
        chunks = lines.dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let byteCount = Int64(words[0]), 1...Int64(ContentChunks.longest) ~= byteCount else {
                return nil
            }
            return ContentChunks.Chunk(byteCount: byteCount, hash: String(words[1]))
        }
        // A chunk that is missing would move all others.
        guard chunks.count == lines.count - 1 else { return nil }
    }

    var text: String {
        let title = "\(FilmNote.mark) \(film) \(version)"
        return ([title] + chunks.map { "\($0.byteCount) \($0.hash)" }).joined(separator: "\n") + "\n"
    }

    /// The runs of bytes that another film shares with this one.
    /// - Parameter others: the other film's chunks.
    func runs(sharedWith others: [ContentChunks.Chunk]) -> [SharedBytes.Run] {
        let offsets = chunks.reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + $1.byteCount) }
        // The first of equal chunks counts. A run goes on with the next one, whichever is the first.
        let places = Dictionary(zip(chunks.map(\.hash), chunks.indices)) { first, _ in first }
        var runs: [SharedBytes.Run] = []
        var position: Int64 = 0
        var next: Int?
        for chunk in others {
            let end = position + chunk.byteCount
            if let place = next, place < chunks.count, chunks[place].hash == chunk.hash {
                runs[runs.count - 1].range = runs[runs.count - 1].range.lowerBound..<end
                next = place + 1
            } else if let place = places[chunk.hash] {
                runs.append(SharedBytes.Run(range: position..<end, offset: offsets[place]))
                next = place + 1
            } else {
                next = nil
            }
            position = end
        }
        return runs
    }
}
