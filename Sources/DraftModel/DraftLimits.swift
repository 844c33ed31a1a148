/// How much a draft may ask for. What is larger is refused at its place, before any media is looked at, so that no document
/// can hold a farm up; `docs/draft.md` lists the same numbers.
public enum DraftLimits {
    // MARK: The document

    /// Arrays and objects inside one another.
    public static let jsonDepth = 128
    /// Bytes of the name of a member.
    public static let memberNameBytes = 1_000
    /// Diagnostics that are named one by one; the rest are counted.
    public static let diagnostics = 1_000

    // MARK: Parameters

    /// Values in `parameters`.
    public static let parameters = 1_000
    /// Bytes that merge fields may add to a document, wherever they stand, together.
    public static let filledInBytes = 8 << 20

    // MARK: Names and texts, in bytes of UTF-8

    /// Of a `url`.
    public static let urlBytes = 2_048
    /// Of an `id`, a font, the name of an operation, a plug-in or one of its parameters.
    public static let nameBytes = 255
    /// Of a `title`, also of a chapter.
    public static let titleBytes = 1_000
    /// Of `metadata`, names and values together.
    public static let metadataBytes = 65_536
    /// Of one `text` of a layer, or of a text that a plug-in is given.
    public static let textBytes = 10_000
    /// Of the `path` of one shape.
    public static let shapePathBytes = 65_536
    /// Of all texts and shapes' paths of a draft together.
    public static let allTextBytes = 2_000_000

    // MARK: How many there may be

    /// Clips of the main track.
    public static let clips = 10_000
    /// Sounds beside the main track.
    public static let audioClips = 10_000
    /// Layers, those in groups included; a mask counts as one.
    public static let layers = 10_000
    /// Groups and masks inside one another.
    public static let nesting = 16
    /// Effects on the main track.
    public static let effects = 1_000
    /// Operations of one clip or layer.
    public static let operations = 64
    /// Operations of a draft.
    public static let allOperations = 20_000
    /// Parameters of one operation or plug-in.
    public static let operationParameters = 256
    /// Animations of one clip or layer.
    public static let animations = 256
    /// Keys of one animation, and volume ramps of one clip or layer.
    public static let keyframes = 10_000
    /// Keys of a speed that changes.
    public static let speedKeys = 250
    /// The same of a draft.
    public static let allKeyframes = 100_000
    /// Chapters of a film.
    public static let chapters = 1_000
    /// Font files of a draft.
    public static let fonts = 256

    // MARK: The film

    /// Seconds that the main track lasts with its effects, or the layers of a draft without clips.
    public static let seconds = 12 * 3_600
    /// Frames of the film: twelve hours at 60 a second, three at 240.
    public static let frames = 12 * 3_600 * 60
    /// Pieces that time effects may cut the main track into.
    public static let pieces = 10_000
    /// Sounds, each round of a loop counted.
    public static let sounds = 50_000
    /// Stretches of the main track that one clip or transition is seen in, after all effects.
    public static let stretches = 25_000
    /// Stretches that effects have to be applied to, added up over the effects.
    public static let effectWork = 500_000
    /// Pictures that are put together: each layer counts once for each stretch of the main track that it is seen in and once for every four
    /// seconds, and as often again for every 256 bytes of its text, every 16 keys of its animations, and every layer in it.
    public static let composedLayers = 200_000
    /// Jobs of one export.
    public static let jobs = 25_000
}
