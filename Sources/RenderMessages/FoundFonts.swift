/// The fonts that the renderer finds on this machine.
public struct FoundFonts: Hashable, Sendable, Codable {
    public struct Family: Hashable, Sendable, Codable {
        /// As drafts name it.
        public var name: String
        /// In order of their names.
        public var styles: [Style]

        public init(name: String, styles: [Style]) {
            self.name = name
            self.styles = styles
        }
    }

    public struct Style: Hashable, Sendable, Codable {
        /// `Regular`, `Bold Italic`, ...
        public var name: String
        public var file: String

        public init(name: String, file: String) {
            self.name = name
            self.file = file
        }
    }

    /// Where fonts are looked for beside fontconfig's own places.
    public var directories: [String]
    /// In order of their names.
    public var families: [Family]

    public init(directories: [String], families: [Family]) {
        self.directories = directories
        self.families = families
    }
}
