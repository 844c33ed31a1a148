import Glibc
import Vocabulary
import FoundationEssentials

/// A film that is open for as long as it is sent. A store may remove the file meanwhile, because it is only a copy of a
/// bucket's, so it is read by its descriptor and not by its name.
final class OpenFilm: Sendable {
    let descriptor: Int32
    let byteCount: Int64
    /// The container of the film; nil where its first bytes are not known.
    let container: ContainerFormat?
    /// The media type, by the first bytes.
    let mediaType: String
    /// The usual suffix of such files, without a full stop.
    let fileExtension: String

    /// - Throws: `PublicationFault` where the file cannot be opened.
    init(_ path: String) throws(PublicationFault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw PublicationFault("the film cannot be read from the farm's store: \(String(cString: strerror(errno)))")
        }
        byteCount = Int64(status.st_size)
        var head = [UInt8](repeating: 0, count: ContainerSignature.reach)
        let count = pread(descriptor, &head, head.count, 0)
        let known = head.prefix(max(0, count))
        container = FormatCatalogue.container(ofHead: known)
        let picture = PictureFileType(ofHead: known)
        mediaType = container?.mediaType ?? picture?.mediaType ?? "application/octet-stream"
        fileExtension = container?.type.rawValue ?? picture?.suffix ?? "bin"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// A path that leads to the open file, whatever has become of its name.
    var path: String { "/proc/self/fd/\(descriptor)" }
}

/// Why a film could not be sent.
struct PublicationFault: Error, Hashable, Sendable {
    /// For people, in one sentence.
    var message: String
    /// Whether a retry cannot help.
    var isFinal: Bool

    init(_ message: String, isFinal: Bool = false) {
        self.message = message
        self.isFinal = isFinal
    }
}
