import Vocabulary
import Glibc

/// The media type of a film, recognised by the first bytes of its file. Every container of an export has a signature.
enum FilmType {
    /// A media type as IANA registers it, or as browsers know it.
    static func mediaType(of path: String) -> String {
        guard let file = fopen(path, "rbe") else { return unknown }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: ContainerSignature.reach)
        let count = fread(&head, 1, head.count, file)
        return FormatCatalogue.container(ofHead: head.prefix(count))?.mediaType ?? unknown
    }

    private static let unknown = "application/octet-stream"
}
