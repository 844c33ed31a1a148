/// Damage inside a source that a rendering process played over, as players do. The film is made all the same; its export
/// carries the warning.
///
/// The same source gives the same warnings on every machine: they are kept with the artifact, and an export that reuses the
/// artifact has them, too.
public struct SourceWarning: Hashable, Sendable, Codable {
    /// The closed list of what is concealed.
    public enum Code: String, Hashable, Sendable, Codable {
        /// Pictures could not be decoded; the last good one is shown instead.
        case frozenPictures
        /// Pictures were decoded from damaged data and may show it.
        case damagedPictures
        /// Sound could not be decoded; it is silent instead.
        case damagedSound
    }

    public var code: Code
    /// Content hash of the source.
    public var source: String
    /// Seconds in the source at which the damage begins.
    public var time: Double
    /// Pictures that are affected; of sound, samples of the source.
    public var count: Int
    /// Goes on where the source's name ends: "could not be decoded at 3.2 s ...".
    public var message: String

    public init(_ code: Code, source: String, time: Double, count: Int, message: String) {
        self.code = code
        self.source = source
        self.time = time
        self.count = count
        self.message = message
    }
}

extension [SourceWarning] {
    /// How many warnings an artifact keeps; a file that is damaged everywhere needs no longer list.
    public static let limit = 100

    /// Warnings without those that say the same, in their order, at most `limit`.
    public var distinct: [SourceWarning] {
        var seen: Set<SourceWarning> = []
        return Array(filter { seen.insert($0).inserted }.prefix(Self.limit))
    }
}
