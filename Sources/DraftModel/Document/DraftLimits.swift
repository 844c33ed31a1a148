/// Limits on the size of a draft, so that no draft can block a farm. Excess is reported at its place before any media
/// is read. `docs/draft.md` lists the same numbers.
package enum DraftLimits {
    // MARK: The document

    /// The nesting depth of arrays and objects.
    package static let jsonDepth = 128
    /// Bytes of a member's name.
    package static let memberNameBytes = 1_000
    /// Diagnostics that are listed; the rest are only counted.
    package static let diagnostics = 1_000

    // MARK: Parameters

    /// Values in `parameters`.
    package static let parameters = 1_000
    /// Bytes that merge fields may add to the whole document.
    package static let filledInBytes = 8 << 20

    /// Bytes of one condition (`when`).
    package static let conditionBytes = 1_000
    /// The depth of parentheses and negations of a condition in one another.
    package static let conditionDepth = 32

    // MARK: Names and texts, in bytes of UTF-8

    /// Bytes of a `url`.
    package static let urlBytes = 2_048
    /// The bytes of a `data:` address.
    package static let dataBytes = 262_144
    /// Bytes of an `id`, a font, or the name of an operation, a plug-in or a parameter.
    package static let nameBytes = 255
    /// Bytes of the `title` of a draft or a chapter.
    package static let titleBytes = 1_000
    /// Bytes of `metadata`, names and values together.
    package static let metadataBytes = 65_536
    /// Bytes of one `text` of a layer, or of a text parameter of a plug-in.
    package static let textBytes = 10_000
    /// Bytes of the `path` of one shape.
    package static let shapePathBytes = 65_536
    /// Bytes of all texts and shape paths of a draft together.
    package static let allTextBytes = 2_000_000

    // MARK: How many there may be

    /// Sprites beside a film (`spriteInterval`).
    package static let sprites = 10_000
    /// The height of a sprite in pixels, so that a sheet of them fits into memory and into a JPEG.
    package static let spriteHeight = 2_048
    /// Clips of the main track.
    package static let clips = 10_000
    /// Audio clips beside the main track.
    package static let audioClips = 10_000
    /// Layers, including those in groups. A mask counts as a layer.
    package static let layers = 10_000
    /// Names of tags in `sourceMetadata`.
    package static let sourceTags = 64
    /// Sound tracks of a film.
    package static let audioTracks = 16
    /// The nesting depth of groups and masks.
    package static let nesting = 16
    /// Paths that a shape's path turns into.
    package static let morphPaths = 16
    /// Stops of one gradient.
    package static let gradientStops = 64
    /// Runs of one text.
    package static let textRuns = 256
    /// Effects on the main track.
    package static let effects = 1_000
    /// Operations of one clip or layer.
    package static let operations = 64
    /// Operations and audio filters of a draft, with the bands and echoes of these.
    package static let allOperations = 20_000
    /// Audio filters of one clip, layer or mix.
    package static let audioFilters = 32
    /// Bands of an equalizer, or echoes of an echo.
    package static let audioFilterParts = 64
    /// Parameters of one operation or plug-in.
    package static let operationParameters = 256
    /// Animations of one clip or layer.
    package static let animations = 256
    /// Keyframes of one animation, and volume ramps of one clip or layer.
    package static let keyframes = 10_000
    /// Keyframes of an animated speed.
    package static let speedKeys = 250
    /// Keyframes and volume ramps of a draft.
    package static let allKeyframes = 100_000
    /// Chapters of a film.
    package static let chapters = 1_000
    /// Font files of a draft.
    package static let fonts = 256

    // MARK: The film

    /// Seconds of the main track with its effects, or of the layers of a draft without clips.
    package static let seconds = 12 * 3_600
    /// Frames of the film: 12 hours at 60 frames per second, or 3 hours at 240.
    package static let frames = 12 * 3_600 * 60
    /// Intervals of sound that time effects may cut the main track into.
    package static let soundIntervals = 10_000
    /// Sounds of the film. Each repetition of a loop counts as one.
    package static let sounds = 50_000
    /// Intervals of the main track with its effects. Each shows one clip or transition.
    package static let trackIntervals = 25_000
    /// The sum, over all effects, of the intervals that each effect applies to.
    package static let effectIntervals = 500_000
    /// Composed layers. A layer counts once for each interval of the main track that shows it, and once for every 4 s.
    /// Its count is multiplied by its size: 1, plus 1 for every 256 bytes of text, every two runs, every 16
    /// keyframes, and every operation, transition, mask and layer in it.
    package static let composedLayers = 200_000
    /// Jobs of one export.
    package static let jobs = 25_000
}
