/// Fonts of one name that the renderer finds on this machine.
public struct FontFamily: Hashable, Sendable, Codable {
    public struct Style: Hashable, Sendable, Codable {
        /// `Regular`, `Bold Italic`, ...
        public var name: String
        public var file: String

        public init(name: String, file: String) {
            self.name = name
            self.file = file
        }
    }

    /// As drafts name it.
    public var name: String
    /// In order of their names.
    public var styles: [Style]

    public init(name: String, styles: [Style]) {
        self.name = name
        self.styles = styles
    }
}
