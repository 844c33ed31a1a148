/// The metadata tags that a container can hold, by FFmpeg's names.
package struct TagSupport: Hashable, Sendable {
    /// The only tags that the container can hold; nil if it can hold any.
    package var names: Set<String>?
    /// The only tags that the container can hold beside a cover; nil if a cover makes no difference.
    package var namesBesideCover: Set<String>?
    /// The greatest length of a tag's value in UTF-8 bytes; nil if there is no limit.
    package var longestValue: Int?

    /// Any tag.
    package static let any = TagSupport()

    /// The tags of iTunes. MP4 files usually have these; a tag with another name goes into a list of another kind, which
    /// most players do not read and which has no place for a cover.
    package static let iTunes: Set<String> = [
        "album", "album_artist", "artist", "comment", "composer", "copyright", "creation_time", "date", "description", "encoder",
        "episode_id", "genre", "grouping", "keywords", "lyrics", "network", "show", "synopsis", "title",
    ]

    /// The tags for which XMP has properties.
    package static let xmp: Set<String> = [
        "album", "artist", "comment", "composer", "copyright", "creation_time", "date", "description", "encoder", "genre",
        "keywords", "title",
    ]
}
