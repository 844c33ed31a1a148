/// One container format: what a file of this type can hold, and how libavformat writes it. The entries are listed in
/// `FormatCatalogue`; whatever reads, checks, writes or describes file types takes its answer from here.
package struct ContainerFormat: Hashable, Sendable {
    /// What a file shows and plays.
    package enum Content: Hashable, Sendable {
        /// Pictures and sound.
        case film
        case sound
        /// Repeating pictures without sound, subtitles or chapters.
        case animation
        /// A file for each picture, without sound. The film's file is an archive of them.
        case sequence
        /// Playlists and the files that they name, for players that load a film in parts. The film's file is an archive of
        /// them.
        case stream
    }

    /// How a file is built, where that needs code of its own.
    package enum Structure: Hashable, Sendable {
        /// ISO base media boxes (ISO/IEC 14496-12) with an index, whose place and clock are chosen.
        case isoMedia
        /// The same with QuickTime's own list of tags and table of languages.
        case quickTime
        /// Matroska elements, whose exact lengths are written at the end (RFC 9559).
        case matroska
        /// Animated pictures, which are joined without libavformat.
        case gif, webp
        /// An archive of files (POSIX.1-2008, ustar).
        case archive
        /// A file that libavformat writes by itself.
        case plain
    }

    /// How chapters are stored.
    package enum ChapterList: Hashable, Sendable {
        /// In the container's own list.
        case chapters
        /// In comments, by Xiph's "Chapter Extension".
        case vorbisComments
    }

    /// The codec of subtitle tracks.
    package enum SubtitleCodec: String, Hashable, Sendable {
        /// 3GPP TS 26.245.
        case timedText = "3GPP timed text"
        case webVTT = "WebVTT"
        case subRip = "SubRip"
    }

    /// The name in drafts and settings, which is also the usual suffix.
    package var type: FileType
    /// The name in messages and documents.
    package var name: String
    /// Further suffixes of file names, without a dot.
    package var furtherSuffixes: [String] = []
    /// The suffixes of the pictures of a sequence, without a dot; the usual one first.
    package var pictureSuffixes: [String] = []
    /// The media type as IANA registers it, or as browsers know it.
    package var mediaType: String
    /// How a file of this container is recognised; at least one signature.
    package var signatures: [ContainerSignature]
    package var content: Content
    package var structure = Structure.plain
    /// The muxer's name in libavformat.
    package var muxer: String
    /// The time by which packets arrive before they are decoded (libavformat's `max_delay`), in microseconds; 0 leaves
    /// it to libavformat.
    package var muxerDelay = 0
    /// The video codecs that the container can hold; the first is the default.
    package var videoCodecs: [VideoCodec] = []
    /// The video codecs whose transparency the container keeps; the first is the default of a transparent film.
    package var transparentCodecs: [VideoCodec] = []
    /// The audio codec that players expect in the container; nil if it holds no sound.
    package var audioCodec: AudioCodec?
    /// The codec tags of four characters that players expect; for other codecs libavformat chooses.
    package var codecTags: [VideoCodec: String] = [:]
    /// The codecs that passthrough can copy into the container, by libavcodec's names: the container's edit lists and
    /// boxes support them, or they can stand beside encoded pictures in it.
    package var copiedCodecs: [String] = []
    /// Whether an edit list can hide a part of the pictures in the file, and a matrix can rotate them. Such a container
    /// keeps parameter sets in its header only. Without edit lists they can change before any keyframe.
    package var hasEditLists = false
    /// Whether the file says how many samples the audio encoder added at both ends, so that players leave them out.
    package var hasExactSound = true
    /// How chapters are stored; nil if there are none.
    package var chapters: ChapterList? = .chapters
    /// The codec of subtitle tracks; nil if there are none.
    package var subtitles: SubtitleCodec?
    package var hasCover = false
    package var tags = TagSupport.any
    /// The highest frame rate that players show, in frames per second; nil if there is no limit.
    package var highestFrameRate: Int?

    package var hasVideo: Bool { !videoCodecs.isEmpty }

    /// Whether a viewer can choose among several sound tracks in it.
    package var holdsSoundTracks: Bool { (content == .film || content == .stream) && audioCodec != nil }

    /// Whether the film's file is an archive of the files that people want.
    package var isArchive: Bool { structure == .archive }

    /// All suffixes of file names, without a dot; the usual one first. All archives share one.
    package var suffixes: [String] { (isArchive ? [ContainerFormat.archiveSuffix] : [type.rawValue]) + furtherSuffixes }

    /// The suffix of archives.
    package static let archiveSuffix = "tar"

    /// Whether the file consists of ISO base media boxes or QuickTime atoms.
    package var isISO: Bool { structure == .isoMedia || structure == .quickTime }

    /// Whether recorded clips can be stored in it: it has to hold compressed pictures and sound, or sound alone, with exact
    /// lengths.
    package var isForClips: Bool {
        (content == .film || content == .sound) && hasExactSound && !videoCodecs.contains(.rawvideo)
    }
}
