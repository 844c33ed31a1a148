/// What to find out about fonts: which files some texts, or the captions of a file, are drawn with. As `SourceFacts` of a location of
/// its own, `font:<hash of the request>`, the answer goes the way of all that is found out about sources.
public struct FontRequest: Hashable, Sendable, Codable {
    /// A Pango font description; captions that have styles of their own do not go by it.
    public var font: String
    /// What is drawn in it.
    public var texts: [String]
    /// The location of a file of captions that is drawn in it, or in its own fonts.
    public var captions: String?
    /// The locations of the draft's own font files.
    public var files: [String]

    public init(font: String, texts: [String] = [], captions: String? = nil, files: [String]) {
        self.font = font
        self.texts = texts
        self.captions = captions
        self.files = files
    }

    /// The same request with locations turned into paths.
    public func resolvingPaths(_ path: (String) throws -> String) rethrows -> FontRequest {
        FontRequest(font: font, texts: texts, captions: try captions.map(path), files: try files.map(path))
    }
}

/// A font file that something is drawn with.
public struct FontFile: Hashable, Sendable, Codable {
    public var contentHash: String
    /// For messages: the PostScript name.
    public var name: String

    public init(contentHash: String, name: String) {
        self.contentHash = contentHash
        self.name = name
    }
}

/// The answer to a `FontRequest`.
public struct FontFacts: Hashable, Sendable, Codable {
    /// For each of the texts, or for the captions, what it is drawn with: the request's font and those that stand in for characters
    /// that it lacks.
    public var uses: [[FontFile]]

    public init(uses: [[FontFile]]) {
        self.uses = uses
    }
}

/// How a location names a request for fonts where others name a file.
public enum FontLocation {
    private static let prefix = "font:"

    /// - Parameter hash: of the request.
    public static func location(of hash: String) -> String { prefix + hash }

    public static func isOne(_ location: String) -> Bool { location.hasPrefix(prefix) }
}
