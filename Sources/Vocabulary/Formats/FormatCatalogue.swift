/// The list of all containers and codecs that an export can write. Validation, `--help`, `spool doctor`, the media types
/// of the API and `docs/formats.md` are derived from it, and so are the writers' settings.
package enum FormatCatalogue {
    /// All containers in the order of the documentation: films, sounds, animated pictures, numbered pictures, streams. A new container is
    /// a line here and its entry.
    package static let containers: [ContainerFormat] = [
        .mp4,
        .mov,
        .webm,
        .mkv,
        .transportStream,
        .nut,
        .m4a,
        .wav,
        .mp3,
        .flac,
        .ogg,
        .gif,
        .webp,
        .png,
        .jpeg,
        .tiff,
        .webpStills,
        .hls,
    ]

    package static let videoCodecs: [VideoCodecFormat] = VideoCodec.allCases.map(\.format)
    package static let audioCodecs: [AudioCodecFormat] = AudioCodec.allCases.map(\.format)

    private static let byName = Dictionary(uniqueKeysWithValues: containers.map { ($0.type.rawValue, $0) })
    private static let bySuffix = Dictionary(
        uniqueKeysWithValues: containers.filter { !$0.isArchive }.flatMap { container in
            container.suffixes.map { ($0, container) }
        })

    /// The container with this file type, or nil.
    package static func container(named name: String) -> ContainerFormat? { byName[name] }

    /// The container of files with this suffix, which has no dot; in lower or upper case. Nil if there is none.
    package static func container(ofSuffix suffix: String) -> ContainerFormat? { bySuffix[suffix.lowercased()] }

    /// The container of numbered pictures with this suffix, which has no dot; in lower or upper case. Nil if there is none.
    package static func sequence(ofSuffix suffix: String) -> ContainerFormat? {
        containers.first { $0.pictureSuffixes.contains(suffix.lowercased()) }
    }

    /// The container of a file that begins with these bytes; nil if no signature fits.
    /// - Parameter head: the first bytes of the file, at least `ContainerSignature.reach` of them where it has as many.
    package static func container(ofHead head: some Collection<UInt8>) -> ContainerFormat? {
        let head = Array(head)
        let fitting = containers.flatMap { container in
            container.signatures.filter { $0.fits(head) }.map { (container, $0.byteCount) }
        }
        return fitting.max { $0.1 < $1.1 }?.0
    }

    /// The file types of all containers with some property, as words for a message: "mp4, mov or webm".
    package static func names(joinedBy word: String = "or", where holds: (ContainerFormat) -> Bool) -> String {
        let names = containers.filter(holds).map(\.type.rawValue)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }
}
