/// A family of fonts that the renderer finds on this machine.
package struct FontFamily: Hashable, Sendable, Codable {
    package struct Style: Hashable, Sendable, Codable {
        /// `Regular`, `Bold Italic`, ...
        package var name: String
        package var file: String

        package init(name: String, file: String) {
            self.name = name
            self.file = file
        }
    }

    /// The family's name as drafts use it.
    package var name: String
    /// The styles, ordered by name.
    package var styles: [Style]

    package init(name: String, styles: [Style]) {
        self.name = name
        self.styles = styles
    }
}
