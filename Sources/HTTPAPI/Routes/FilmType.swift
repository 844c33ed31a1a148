import Vocabulary
import Glibc

/// The media type of a film, or of the picture that an export made instead, recognised by the first bytes of its file.
/// Every container of an export has a signature.
enum FilmType {
    /// A media type as IANA registers it, or as browsers know it.
    static func mediaType(of path: String) -> String {
        guard let file = fopen(path, "rbe") else { return unknown }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: ContainerSignature.reach)
        let count = fread(&head, 1, head.count, file)
        let known = head.prefix(count)
        return FormatCatalogue.container(ofHead: known)?.mediaType ?? PictureFileType(ofHead: known)?.mediaType ?? unknown
    }

    private static let unknown = "application/octet-stream"
}
