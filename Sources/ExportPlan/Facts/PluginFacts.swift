/// The pictures that a plug-in makes its own of.
package enum PluginKind: String, Hashable, Sendable, Codable {
    /// Another picture, which it changes.
    case filter
    /// Nothing: it draws the picture for a time.
    case generator
    /// Two pictures, which it joins.
    case mixer

    /// How many pictures it takes.
    package var inputCount: Int {
        switch self {
        case .filter: 1
        case .generator: 0
        case .mixer: 2
        }
    }
}

/// What a plug-in declares. The probe loads the plug-in to find it out; the compiler checks a draft's parameters
/// against it.
package struct PluginFacts: Hashable, Sendable, Codable {
    /// The type of a parameter's value.
    package enum Kind: String, Hashable, Sendable, Codable { case number, bool, color, position, text }

    package struct Parameter: Hashable, Sendable, Codable {
        package var name: String
        package var kind: Kind
        /// What the parameter does, in the plug-in's own words; may be empty.
        package var explanation: String
        /// The value for drafts that leave the parameter out; nil where the plug-in does not give one.
        package var `default`: PluginValue?
        /// The least value of a number; `maximum` is the greatest.
        package var minimum: Double
        package var maximum: Double
        /// Whether a number has to be whole; nil means no.
        package var isWhole: Bool?

        package init(
            name: String, kind: Kind, explanation: String, default defaultValue: PluginValue?, minimum: Double = 0,
            maximum: Double = 1, isWhole: Bool? = nil
        ) {
            self.isWhole = isWhole
            self.name = name
            self.kind = kind
            self.explanation = explanation
            self.default = defaultValue
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// The name by which drafts call the plug-in: the name of its file without the extension.
    package var name: String
    /// The name that the plug-in gives itself.
    package var title: String
    /// What the plug-in does, in its own words; may be empty.
    package var explanation: String
    package var author: String
    package var parameters: [Parameter]
    /// The pictures that it makes its own of; nil for a filter.
    package var kind: PluginKind?
    /// For a filter of sounds: how many channels it takes and gives at once; nil for a filter of pictures.
    package var channels: Int?

    package init(
        name: String, title: String, explanation: String, author: String, parameters: [Parameter], kind: PluginKind? = nil,
        channels: Int? = nil
    ) {
        self.kind = kind
        self.channels = channels
        self.name = name
        self.title = title
        self.explanation = explanation
        self.author = author
        self.parameters = parameters
    }
}

/// The location of a plug-in, in places where other locations name a file: `plugin:NAME`. The worker that has the job
/// finds the file.
package enum PluginLocation {
    private static let prefix = "plugin:"

    package static func location(of name: String) -> String { prefix + name }

    /// Nil where the location is not a plug-in's.
    package static func name(of location: String) -> String? {
        location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : nil
    }
}
