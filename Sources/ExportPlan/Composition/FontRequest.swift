/// A probe request about fonts: which font files some texts, or the captions of a file, are drawn with. The answer is
/// stored as `SourceFacts` of the location `font:<hash of the request>`, so that it travels like all other probe
/// results.
package struct FontRequest: Hashable, Sendable, Codable {
    /// A Pango font description; captions with styles of their own ignore it.
    package var font: String
    /// The texts that are drawn in the font.
    package var texts: [String]
    /// The runs of the only text, where it has some; only their fonts matter.
    package var runs: [TextRun]?
    /// The location of a caption file that is drawn in this font, or in the fonts that the file names.
    package var captions: String?
    /// The locations of the draft's own font files.
    package var files: [String]

    package init(
        font: String, texts: [String] = [], runs: [TextRun]? = nil, captions: String? = nil, files: [String]
    ) {
        self.font = font
        self.texts = texts
        self.runs = runs
        self.captions = captions
        self.files = files
    }

    /// The locations of the files that the request reads. They are sources of the draft themselves.
    package var fileLocations: [String] { [captions].compactMap { $0 } + files }

    /// Whether something is drawn in this font.
    /// - Parameter family: the name that a font description begins with.
    package func names(family: String) -> Bool {
        ([font] + (runs ?? []).compactMap(\.font)).contains { $0.hasPrefix(family) }
    }

    /// The same request with locations turned into paths.
    package func resolvingPaths(_ path: (String) throws -> String) rethrows -> FontRequest {
        FontRequest(font: font, texts: texts, runs: runs, captions: try captions.map(path), files: try files.map(path))
    }
}

/// A font file that something is drawn with.
package struct FontFile: Hashable, Sendable, Codable {
    package var contentHash: String
    /// The PostScript name, for messages.
    package var name: String

    package init(contentHash: String, name: String) {
        self.contentHash = contentHash
        self.name = name
    }
}

/// The answer to a `FontRequest`.
package struct FontFacts: Hashable, Sendable, Codable {
    /// The font files used for each text, or for the captions: the requested font and the fallback fonts for characters
    /// that it lacks.
    package var uses: [[FontFile]]

    package init(uses: [[FontFile]]) {
        self.uses = uses
    }
}

/// The location of a font request, in places where other locations name a file.
package enum FontLocation {
    private static let prefix = "font:"

    /// - Parameter hash: the hash of the request.
    package static func location(of hash: String) -> String { prefix + hash }

    package static func matches(_ location: String) -> Bool { location.hasPrefix(prefix) }
}
